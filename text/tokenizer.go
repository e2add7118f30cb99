// Package text turns text into word numbers and back by public rules, and
// streams files of texts through a rewriting function.
//
// # Tokens
//
// Unicode's word boundaries (UAX 29) cut the text; white space separates and is
// dropped. Each remaining token becomes one or more entries of a vocabulary, by
// rules that look at the token and the public vocabulary only:
//
//   - lower case and Unicode's composed form (NFC); typographic quotes become
//     plain ones, dashes and the ellipsis "--" and "..." where the vocabulary has
//     these, "-" and "." otherwise; a word is looked up in lower case, then as
//     spelled;
//   - contractions expand: don't is do not, can't can not, won't will not, I'm i
//     am, it's it is, we've we have, she'll she will, they'd they would, let's
//     let us; any other 's is the entry 's;
//   - a is the entry an where the vocabulary lacks a;
//   - numbers that the vocabulary lacks: 0 to 20, tens, 100, 1000 and 1000000 are
//     spelled out, as are the ordinals up to 20th; any other is the entry <num>,
//     or unknown where there is none;
//   - a compound that the vocabulary lacks (example.com) is cut at its punctuation;
//   - <unk> and <num> are read as these entries, if the vocabulary has them;
//   - all else is the vocabulary's unknown entry.
//
// Every token becomes an entry: nothing of the input passes through as it is.
//
// # Back to text
//
// [Tokenizer.Detokenize] reads output entries only: no space before closing
// punctuation, quotes open and close in turn, a capital at the start and after
// a full stop, I for i, a or an by the next word.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"golang.org/x/text/unicode/norm"
)

// Vocabulary is what the rules need from a table.
type Vocabulary interface {
	Len() int
	Lookup(word string) (embedding.ID, bool)
	Word(id embedding.ID) string
	Unknown() embedding.ID
}

// Tokenizer applies the rules for one vocabulary. It is for one goroutine.
type Tokenizer struct {
	vocabulary Vocabulary
	kind       []kind // of each entry, for Detokenize
	memo       map[string][]embedding.ID
	special    map[string]embedding.ID // "unk", "num": entries written in angle brackets
	possessive embedding.ID            // the entry 's
	possesses  bool
	is         embedding.ID
	takesIs    map[embedding.ID]bool // words after which 's is short for is
	scratch    []embedding.ID
	unknown    string // how the unknown entry is written; empty: as in the vocabulary
}

// The memo caches the entries of short tokens, up to a bound.
const (
	memoTokens = 1 << 17
	memoLength = 32
)

// NewTokenizer makes the tokenizer of a vocabulary.
func NewTokenizer(v Vocabulary) *Tokenizer {
	t := &Tokenizer{vocabulary: v, memo: map[string][]embedding.ID{}, special: map[string]embedding.ID{}, takesIs: map[embedding.ID]bool{}}
	for _, name := range []string{"unk", "num"} {
		if id, ok := v.Lookup("<" + name + ">"); ok {
			t.special[name] = id
		}
	}
	t.possessive, t.possesses = v.Lookup("'s")
	if is, ok := v.Lookup("is"); ok {
		t.is = is
		for _, w := range isShortenedAfter {
			if id, ok := v.Lookup(w); ok {
				t.takesIs[id] = true
			}
		}
	}
	return t
}

// WriteUnknown sets how Detokenize writes the unknown entry; empty means as in the
// vocabulary.
func (t *Tokenizer) WriteUnknown(form string) { t.unknown = form }

// Tokenize appends the entries of text to dst and counts the tokens that became
// the unknown entry because the vocabulary lacks them.
func (t *Tokenizer) Tokenize(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	start := len(dst)
	tokens := words.FromBytes(text)
	for tokens.Next() {
		token := tokens.Value()
		if c := token[0]; c <= ' ' && isSpace(token) {
			continue
		}
		// Entries written over several tokens: <unk>, <num>, and 's after a sign.
		rest := text[tokens.End():]
		switch {
		case len(token) == 1 && token[0] == '<':
			if id, n := t.bracketed(rest); n > 0 {
				dst = append(dst, id)
				for end := tokens.End() + n; tokens.End() < end && tokens.Next(); {
				}
				continue
			}
		case t.possesses && len(token) == 1 && token[0] == '\'' && aloneS(rest):
			tokens.Next()
			if id := t.possessive; len(dst) > start && t.takesIs[dst[len(dst)-1]] {
				dst = append(dst, t.is)
			} else {
				dst = append(dst, id)
			}
			continue
		}
		entries, ok := t.memo[string(token)]
		if !ok {
			if isSpace(token) {
				continue
			}
			t.scratch = t.entries(t.scratch[:0], token)
			entries = t.scratch
			if len(token) <= memoLength && len(t.memo) < memoTokens {
				t.memo[string(token)] = append([]embedding.ID(nil), entries...)
			}
		}
		for _, id := range entries {
			if id == t.vocabulary.Unknown() {
				unknown++
			}
		}
		dst = append(dst, entries...)
	}
	return dst, unknown
}

// bracketed reads "unk>" or "num>" and returns the entry and the bytes read.
func (t *Tokenizer) bracketed(rest []byte) (embedding.ID, int) {
	for name, id := range t.special {
		if len(rest) > len(name) && string(rest[:len(name)]) == name && rest[len(name)] == '>' {
			return id, len(name) + 1
		}
	}
	return 0, 0
}

// aloneS reports whether rest begins with the one-letter token s.
func aloneS(rest []byte) bool {
	if len(rest) == 0 || rest[0] != 's' && rest[0] != 'S' {
		return false
	}
	next := words.FromBytes(rest[:min(len(rest), 64)])
	return next.Next() && len(next.Value()) == 1
}

func isSpace(token []byte) bool {
	for len(token) > 0 {
		r, n := utf8.DecodeRune(token)
		if !unicode.IsSpace(r) {
			return false
		}
		token = token[n:]
	}
	return true
}

// mostParts bounds the cuts of one compound.
const mostParts = 16

// entries appends what one token becomes: at least one entry.
func (t *Tokenizer) entries(dst []embedding.ID, token []byte) []embedding.ID {
	if len(token) > 1024 || !utf8.Valid(token) {
		return append(dst, t.vocabulary.Unknown())
	}
	spelled := plain.Replace(norm.NFC.String(string(token)))
	word := strings.ToLower(spelled)
	if id, ok := t.look(word, spelled); ok {
		return append(dst, id)
	}
	if expansion, ok := expand(word); ok {
		return t.each(dst, expansion)
	}
	if number, ok := spellNumber(word); ok {
		for _, name := range []string{number, "<num>"} {
			if id, ok := t.vocabulary.Lookup(name); ok {
				return append(dst, id)
			}
		}
		return append(dst, t.vocabulary.Unknown())
	}
	if parts := cut(word); len(parts) > 1 && len(parts) <= mostParts {
		return t.each(dst, parts)
	}
	return append(dst, t.vocabulary.Unknown())
}

// each looks up the words of one token.
func (t *Tokenizer) each(dst []embedding.ID, list []string) []embedding.ID {
	for _, w := range list {
		id, ok := t.look(w, w)
		if !ok {
			if n, isNumber := spellNumber(w); isNumber {
				if id, ok = t.vocabulary.Lookup(n); !ok {
					id, ok = t.vocabulary.Lookup("<num>")
				}
			}
		}
		if !ok {
			id = t.vocabulary.Unknown()
		}
		if id == t.possessive && t.possesses && len(dst) > 0 && t.takesIs[dst[len(dst)-1]] {
			id = t.is
		}
		dst = append(dst, id)
	}
	return dst
}

// look finds a word in lower case, then as spelled; "a", dashes and the
// ellipsis have fallbacks.
func (t *Tokenizer) look(word, spelled string) (embedding.ID, bool) {
	if id, ok := t.vocabulary.Lookup(word); ok {
		return id, true
	}
	if id, ok := t.vocabulary.Lookup(spelled); ok {
		return id, true
	}
	switch word {
	case "a":
		return t.vocabulary.Lookup("an")
	case "--":
		return t.vocabulary.Lookup("-")
	case "...":
		return t.vocabulary.Lookup(".")
	}
	return 0, false
}

// cut splits a compound into runs of letters and digits, and single punctuation marks.
func cut(word string) []string {
	var parts []string
	start := -1
	for i, r := range word {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			parts = append(parts, word[start:i])
			start = -1
		}
		parts = append(parts, string(r))
		if len(parts) > mostParts {
			return nil
		}
	}
	if start >= 0 {
		parts = append(parts, word[start:])
	}
	return parts
}

// plain replaces typographic punctuation by plain.
var plain = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"–", "-", "—", "--", "―", "--", "‐", "-", "‑", "-", "−", "-", "…", "...")
