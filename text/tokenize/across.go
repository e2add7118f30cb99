package tokenize

import (
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
)

// across appends the entry of a token that spans several tokens of Unicode: <unk>, <num>,
// and 's after punctuation. The first of them ends at end; next is where the last ends, 0
// if there is no such token. dst[start:] has the entries of the text so far, without those
// that wait.
func (t *Tokenizer) across(dst []embedding.ID, start int, text []byte, end, unknown int) (ids []embedding.ID, next, counted int) {
	rest := text[end:]
	switch text[end-1] {
	case '<':
		id, n := t.bracketed(rest)
		if n == 0 {
			break
		}
		for next = end; next < end+n; {
			next = t.end(text, next)
		}
		dst, unknown = t.resolve(dst, unknown)
		dst = append(dst, id)
	case '\'':
		if !t.lexicon.possesses || !aloneS(rest) {
			break
		}
		dst, unknown = t.resolve(dst, unknown)
		id := t.lexicon.possessive
		if len(dst) > start && t.lexicon.takesIs[dst[len(dst)-1]] {
			id = t.lexicon.is
		}
		dst, next = append(dst, id), t.end(text, end)
	}
	return dst, next, unknown
}

// bracketed reads "unk>" or "num>" and returns the entry and the bytes read.
func (t *Tokenizer) bracketed(rest []byte) (embedding.ID, int) {
	for _, s := range t.lexicon.special {
		if n := len(s.name); len(rest) > n && rest[n] == '>' && string(rest[:n]) == s.name {
			return s.id, n + 1
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
