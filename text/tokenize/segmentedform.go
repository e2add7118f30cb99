package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// The kinds of entries that only rules of segmentation know.
const (
	run    kind = iota + 100 // letters of a script that does not separate words
	wide                     // a sign of such scripts: no space on either side
	elided                   // a word that ends in an apostrophe
	suffix                   // a word that begins with one
	symbol                   // any other sign: a space on both sides
)

// formOf returns how an entry is written.
func (s *segmented) formOf(id embedding.ID) *writtenForm {
	w, ok := s.written[id]
	if !ok {
		spelled := s.vocabulary.Word(id)
		w = newForm(id, s.rules.Form(spelled))
		w.capital = s.rules.Capital(spelled)
		s.written[id] = w
	}
	return w
}

func newForm(id embedding.ID, form string) *writtenForm {
	w := &writtenForm{id: id, form: form, capital: form}
	w.first, _ = utf8.DecodeRuneInString(form)
	w.last, _ = utf8.DecodeLastRuneInString(form)
	for _, r := range form {
		if !unicode.IsMark(r) {
			w.letters++
		}
	}
	w.kind = kindOfForm(w)
	return w
}

func kindOfForm(w *writtenForm) kind {
	switch {
	case holdsAddress(w.form):
		return apart
	case segment.Unspaced(w.first):
		return run
	case w.form[0] == segment.Apostrophe && w.letters > 1:
		return suffix
	case w.last == segment.Apostrophe && w.letters > 1:
		return elided
	case unicode.IsLetter(w.first) || unicode.IsNumber(w.first) || w.letters > 1:
		return word
	case strings.ContainsRune(".!?…؟۔।॥", w.first):
		return stop
	case strings.ContainsRune("。！？", w.first):
		return wide
	case strings.ContainsRune(",;:)]}%‰،؛", w.first):
		return closing
	case strings.ContainsRune("([{¿¡", w.first):
		return opening
	case w.first == '-' || w.first == '/':
		return joining
	case w.first == '"' || w.first == segment.Apostrophe:
		return quote
	case w.first >= 0x3000 && w.first <= 0x30ff || w.first >= 0xff00 && w.first <= 0xff65:
		if unicode.IsPunct(w.first) && !unicode.Is(unicode.Pc, w.first) && !segment.Katakana(w.first) {
			return wide
		}
	}
	return symbol
}

// ends reports whether an entry ends a sentence.
func (w *writtenForm) ends() bool {
	return w.kind == stop || w.kind == wide && strings.ContainsRune("。！？", w.first)
}

// tight reports whether an entry has no space between it and a word.
func (w *writtenForm) tight() bool { return w.kind == run || w.kind == wide }
