package tokenize

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// Tokenize appends the entries of text to dst and counts the tokens that became
// the unknown entry because the vocabulary lacks them. An address is one token: see
// [segment.Addresses].
func (t *Tokenizer) Tokenize(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	if t.segmented != nil {
		return t.segmented.tokenize(dst, text)
	}
	start := len(dst)
	if t.cutsAddresses {
		return t.between(dst, start, text, 0, 0)
	}
	addresses := segment.NewAddresses(text)
	for at := 0; ; {
		from, to, found := addresses.Next()
		dst, unknown = t.between(dst, start, text[:from], at, unknown)
		if !found {
			return dst, unknown
		}
		dst, unknown = t.add(dst, t.address(text[from:to]), unknown)
		at = to
	}
}

// between appends the entries of what follows at, which has no addresses, to those of the
// text so far, dst[start:].
func (t *Tokenizer) between(dst []embedding.ID, start int, text []byte, at, unknown int) ([]embedding.ID, int) {
	for at < len(text) {
		if at = t.scan(text, at); t.waiting == len(t.tokens) {
			dst, unknown = t.resolve(dst, unknown)
			continue
		}
		if next := skipSpaces(text, at); next > at {
			at = next
			continue
		}
		end := t.end(text, at)
		if c := text[at]; end == at+1 && (c == '<' || c == '\'') {
			var next int
			if dst, next, unknown = t.across(dst, start, text, end, unknown); next > 0 {
				at = next
				continue
			}
		}
		if k, ok := keyOf(text[at:end]); ok {
			t.tokens[t.waiting] = k
			t.waiting++
		} else {
			dst, unknown = t.resolve(dst, unknown)
			dst, unknown = t.add(dst, t.longer(text[at:end]), unknown)
		}
		at = end
	}
	return t.resolve(dst, unknown)
}
