package tokenize

import (
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"golang.org/x/text/unicode/norm"
)

// memoTokens bounds the tokens of each length class that a Tokenizer caches, beside its
// memo; longToken bounds their bytes.
const (
	longToken = 32
)

// first returns the entries of a token that the memo does not hold, and caches them.
func (t *Tokenizer) first(k key) []embedding.ID {
	var token [16]byte
	entries := t.entriesOf(k.append(token[:0]))
	t.lexicon.memo.put(k, entries)
	return entries
}

// longer returns the entries of a token that has no key.
func (t *Tokenizer) longer(token []byte) []embedding.ID {
	if entries, ok := t.long[string(token)]; ok {
		return entries
	}
	entries := t.entriesOf(token)
	if t.long != nil && len(token) <= longToken && len(t.long) < memoTokens {
		t.long[string(token)] = append([]embedding.ID(nil), entries...)
	}
	return entries
}

// entriesOf returns the entries of a token, none for white space.
func (t *Tokenizer) entriesOf(token []byte) []embedding.ID {
	if isSpace(token) {
		return nil
	}
	t.scratch = t.entries(t.scratch[:0], token)
	return t.scratch
}

// entries appends what one token becomes: at least one entry.
func (t *Tokenizer) entries(dst []embedding.ID, token []byte) []embedding.ID {
	if len(token) > LongestWord || !utf8.Valid(token) {
		return append(dst, t.lexicon.missing)
	}
	spelled, word := spellings(token)
	if id, ok := t.look(word, spelled); ok {
		return append(dst, id)
	}
	if base, ok := strings.CutSuffix(spelled, "'s"); ok && t.lexicon.release && base != "" {
		return append(t.entries(dst, []byte(base)), t.lexicon.possessive)
	}
	if expansion, ok := expand(word); ok {
		return t.each(dst, expansion)
	}
	if number, ok := spellNumber(word); ok {
		for _, name := range []string{number, "<num>"} {
			if id, ok := t.lexicon.vocabulary.Lookup(name); ok {
				return append(dst, id)
			}
		}
		return append(dst, t.lexicon.missing)
	}
	if parts := cut(word); len(parts) > 1 && len(parts) <= mostParts {
		return t.each(dst, parts)
	}
	return append(dst, t.lexicon.missing)
}

// spellings returns a token in Unicode's composed form with plain signs, and that in lower
// case.
func spellings(token []byte) (spelled, word string) {
	spelled = string(token)
	if !ascii(token) {
		spelled = plain.Replace(norm.NFC.String(spelled))
	}
	return spelled, strings.ToLower(spelled)
}

// address returns the entry of an address, which is never cut: that of the whole, or the
// unknown one.
func (t *Tokenizer) address(token []byte) []embedding.ID {
	t.scratch = append(t.scratch[:0], t.lexicon.missing)
	if len(token) <= LongestWord {
		spelled, word := spellings(token)
		if id, ok := t.look(word, spelled); ok {
			t.scratch[0] = id
		}
	}
	return t.scratch
}

// look finds a word in lower case, then as spelled; "a", dashes and the
// ellipsis have fallbacks.
func (t *Tokenizer) look(word, spelled string) (embedding.ID, bool) {
	if id, ok := t.lexicon.vocabulary.Lookup(word); ok {
		return id, true
	}
	if spelled != word {
		if id, ok := t.lexicon.vocabulary.Lookup(spelled); ok {
			return id, true
		}
	}
	switch word {
	case "a":
		return t.lexicon.vocabulary.Lookup("an")
	case "--":
		return t.lexicon.vocabulary.Lookup("-")
	case "...":
		return t.lexicon.vocabulary.Lookup(".")
	}
	return 0, false
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

// Tokenize appends the entries of text to dst and counts the tokens that became
// the unknown entry because the vocabulary lacks them. An address is one token: see
// [segment.Addresses].
func (t *Tokenizer) Tokenize(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	if t.subwords != nil {
		return t.subtokens(dst, text)
	}
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

// each looks up the words of one token.
func (t *Tokenizer) each(dst []embedding.ID, list []string) []embedding.ID {
	for _, w := range list {
		id, ok := t.look(w, w)
		if !ok {
			if n, isNumber := spellNumber(w); isNumber {
				if id, ok = t.lexicon.vocabulary.Lookup(n); !ok {
					id, ok = t.lexicon.vocabulary.Lookup("<num>")
				}
			}
		}
		if !ok {
			id = t.lexicon.missing
		}
		if id == t.lexicon.possessive && t.lexicon.possesses && len(dst) > 0 && t.lexicon.takesIs[dst[len(dst)-1]] {
			id = t.lexicon.is
		}
		dst = append(dst, id)
	}
	return dst
}
