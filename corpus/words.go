package corpus

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text"
)

// tokens converts a text to the IDs of its tokens in a table. The result equals that of
// text.Tokenizer, but plain text takes a faster path. It is for one goroutine.
type tokens struct {
	table *embedding.Table
	slow  *text.Tokenizer
	lower []byte
	signs [128][]embedding.ID // cache for single punctuation characters
	// short caches the IDs of words of at most 8 letters by a hash of the letters: most
	// words are short, and frequent ones are looked up often.
	short [1 << 14]shortWord
}

type shortWord struct {
	letters uint64 // one byte each; 0 for an empty slot
	id      embedding.ID
	lower   bool // true if cached for the lower-case word only: a table may spell it with capitals
}

func (t *tokens) slot(letters uint64) *shortWord {
	return &t.short[letters*0x9e3779b97f4a7c15>>(64-14)]
}

func newTokens(table *embedding.Table) *tokens {
	return &tokens{table: table, slow: text.NewTokenizer(table)}
}

// find appends the IDs of a text's tokens to dst.
func (t *tokens) find(dst []embedding.ID, text []byte) []embedding.ID {
	if t.table.Segmentation() != nil || !isPlain(text) { // the fast path has the rules for English
		dst, _ = t.slow.Tokenize(dst, text)
		return dst
	}
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != ' ' {
			end++
		}
		dst = t.chunk(dst, text[at:end])
		at = end + 1
	}
	return dst
}

// isPlain reports whether a space between two words always separates their tokens and no
// rule looks across it: the text is ASCII, without control characters and without
// apostrophes, whose meaning depends on the preceding word.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c >= 0x7f || c == '\'' {
			return false
		}
	}
	return true
}

// chunk appends the IDs of the text between two spaces. Letters with trailing punctuation
// are looked up directly: a punctuation character that no letter or digit follows is a
// token.
func (t *tokens) chunk(dst []embedding.ID, chunk []byte) []embedding.ID {
	t.lower = t.lower[:0]
	n, letters := 0, uint64(0)
	for ; n < len(chunk); n++ {
		c := chunk[n] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		t.lower = append(t.lower, c)
		letters = letters<<8 | uint64(c)
	}
	rest := chunk[n:]
	if n == 0 || len(rest) > 1 || len(rest) == 1 && !ends(rest[0]) {
		dst, _ = t.slow.Tokenize(dst, chunk)
		return dst
	}
	dst = t.word(dst, chunk[:n], letters)
	if len(rest) == 1 {
		c := rest[0]
		if t.signs[c] == nil {
			t.signs[c], _ = t.slow.Tokenize(nil, rest)
		}
		dst = append(dst, t.signs[c]...)
	}
	return dst
}

// word appends the IDs of a run of letters, given in lower case in t.lower too.
func (t *tokens) word(dst []embedding.ID, word []byte, letters uint64) []embedding.ID {
	known := t.slot(letters)
	if len(word) <= 8 && known.letters == letters && (!known.lower || string(word) == string(t.lower)) {
		return append(dst, known.id)
	}
	from := len(dst)
	id, found := t.table.Lookup(string(t.lower))
	if found {
		dst = append(dst, id)
	} else {
		dst, _ = t.slow.Tokenize(dst, word)
	}
	if len(word) <= 8 && len(dst) == from+1 && (found || string(word) == string(t.lower)) {
		*known = shortWord{letters, dst[from], !found}
	}
	return dst
}

func ends(c byte) bool { return c == ',' || c == '.' || c == ';' || c == ':' || c == '!' || c == '?' }
