package tokenize

import (
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// Vocabulary is the part of a table that the rules need.
type Vocabulary interface {
	Len() int
	Lookup(word string) (embedding.ID, bool)
	Word(id embedding.ID) string
	Unknown() embedding.ID
	// Segmentation returns the rules that cut texts into words; nil means those of this
	// package, which are for English.
	Segmentation() *segment.Rules
}

// Tokenizer applies the rules for one vocabulary. It is for one goroutine.
type Tokenizer struct {
	lexicon    *lexicon
	tokens     [waitingTokens]key // that are cut and not yet looked up
	waiting    int
	found      [waitingTokens]value
	long       map[string][]embedding.ID // the memo of tokens that are too long for memo
	boundaries *words.Iterator[[]byte]
	scratch    []embedding.ID
	reread     []embedding.ID
	unknown    string     // how the unknown entry is written; empty: as in the vocabulary
	segmented  *segmented // for a vocabulary with rules of segmentation; nil for English

	cutsAddresses bool
}

// CutAddresses makes Tokenize cut addresses as it cuts other text. It is for uses that
// reveal neither the number of tokens nor the replacement of each.
func (t *Tokenizer) CutAddresses() {
	t.cutsAddresses = true
	if t.segmented != nil {
		t.segmented.cutter.CutAddresses()
	}
}

// WriteUnknown sets the text that Detokenize writes for the unknown entry; empty means its
// spelling in the vocabulary.
func (t *Tokenizer) WriteUnknown(form string) { t.unknown = form }

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

// resolve appends the entries of the tokens that wait.
func (t *Tokenizer) resolve(dst []embedding.ID, unknown int) ([]embedding.ID, int) {
	tokens := t.tokens[:t.waiting]
	t.lexicon.memo.find(&t.found, tokens)
	for i, v := range t.found[:len(tokens)] {
		switch {
		case v == 0:
			dst, unknown = t.add(dst, t.first(tokens[i]), unknown)
		case v < several:
			entry := embedding.ID(v - 1)
			unknown += oneIf(entry == t.lexicon.missing)
			dst = append(dst, entry)
		default:
			dst, unknown = t.add(dst, t.lexicon.memo.list(v), unknown)
		}
	}
	t.waiting = 0
	return dst, unknown
}

// add appends the entries of a token.
func (t *Tokenizer) add(dst, entries []embedding.ID, unknown int) ([]embedding.ID, int) {
	for _, id := range entries {
		unknown += oneIf(id == t.lexicon.missing)
	}
	return append(dst, entries...), unknown
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// end returns where the token that begins at at ends: Unicode's next word boundary.
func (t *Tokenizer) end(text []byte, at int) int {
	if end := plainEnd(text, at); end > 0 {
		return end
	}
	t.boundaries.SetText(text[at:])
	t.boundaries.Next()
	return at + t.boundaries.End()
}
