// Package terms cuts texts into terms: words in lower case that hold a letter or a digit.
package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"

	"github.com/sotto-dp/sotto/embedding"
)

// maxTerm bounds a term, in bytes; longer ones are skipped.
const maxTerm = 64

// A Reader calls f with the terms of a text. It is for one goroutine. f must not keep the
// slice.
type Reader func(text []byte, f func(term []byte))

// Of returns a function that makes readers of terms: those of [Each], or the words that the
// rules of segmentation of a table cut. Nil is a table without such rules.
func Of(table *embedding.Table) func() Reader {
	if table == nil || table.Segmentation() == nil {
		return func() Reader {
			var scratch []byte
			return func(text []byte, f func(term []byte)) { scratch = Each(scratch, text, f) }
		}
	}
	rules := table.Segmentation()
	has := func(word string) bool { _, ok := table.Lookup(word); return ok }
	return func() Reader {
		cutter := rules.Cutter(has)
		var term []byte
		return func(text []byte, f func(term []byte)) {
			cutter.Cut(text, func(spelled []byte, _ bool) {
				if len(spelled) == 0 || len(spelled) > maxTerm {
					return
				}
				word := rules.Fold(string(spelled))
				if term = append(term[:0], word...); len(term) <= maxTerm && strings.ContainsFunc(word, isMeant) {
					f(term)
				}
			})
		}
	}
}

func isMeant(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Each calls f with the terms of a text: its words by Unicode's boundaries that hold
// a letter or a digit, normalised (NFC) and in lower case. Scripts without spaces give
// single characters. f must not keep the slice. Each returns scratch, grown.
func Each(scratch, text []byte, f func(term []byte)) []byte {
	tokens := words.FromBytes(text)
	for tokens.Next() {
		token := tokens.Value()
		if len(token) > maxTerm {
			continue
		}
		scratch = scratch[:0]
		ascii, meant := true, false
		for _, c := range token {
			switch {
			case c >= utf8.RuneSelf:
				ascii = false
			case c >= 'A' && c <= 'Z':
				c += 'a' - 'A'
				meant = true
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				meant = true
			}
			scratch = append(scratch, c)
		}
		if !ascii {
			if scratch, meant = foldTerm(scratch[:0], token); len(scratch) > maxTerm {
				continue
			}
		}
		if meant {
			f(scratch)
		}
	}
	return scratch
}

func foldTerm(dst, token []byte) (term []byte, meant bool) {
	if !utf8.Valid(token) {
		return dst, false
	}
	for _, r := range string(norm.NFC.Bytes(token)) {
		meant = meant || isMeant(r)
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst, meant
}
