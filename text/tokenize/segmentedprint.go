package tokenize

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// printer writes entries one after the other. Meanwhile its tokenizer has no other.
type printer struct {
	*segmented
	printing
	before *writtenForm // nil at the start
	glued  bool         // nothing is between the last entry and the next
	open   quotes
}

// printing is how entries are written.
type printing struct {
	unknown string // the form of the unknown entry; empty: as in the vocabulary
	capital bool   // of the first word
	ended   func(end int)
}

// print appends the text of entries. Reading it gives the same entries, whatever they are:
// where no space is between two runs of letters, they are read as two or a
// [segment.Separator] is between them.
func (s *segmented) print(dst []byte, ids []embedding.ID, how printing) []byte {
	p := printer{segmented: s, printing: how}
	return p.print(dst, ids)
}

func (p *printer) print(dst []byte, ids []embedding.ID) []byte {
	next := func(i int) *writtenForm {
		switch {
		case i >= len(ids):
			return nil
		case p.unknown != "" && ids[i] == p.vocabulary.Unknown():
			return newForm(ids[i], p.unknown)
		}
		return p.formOf(ids[i])
	}
	w := next(0)
	for i := range ids {
		after := next(i + 1)
		dst = append(dst, p.between(w, after)...)
		if p.capital && (w.kind == word || w.kind == elided) {
			dst = append(dst, w.capital...)
		} else {
			dst = append(dst, w.form...)
		}
		if p.ended != nil {
			p.ended(len(dst))
		}
		switch w.kind {
		case word, run, elided, suffix:
			p.capital = false
		}
		p.capital = p.capital || w.ends()
		p.before, w = w, after
	}
	return dst
}

const space = " "

// between returns the separator before w, which after follows.
func (p *printer) between(w, after *writtenForm) string {
	before, glued := p.before, p.glued
	p.glued = false
	if w.kind == run {
		defer p.lattice.Append([]byte(w.form))
	}
	if before == nil {
		p.lattice.Reset()
		p.opens(w, after)
		return ""
	}
	if w.kind == run && before.kind == run {
		if p.follows(before, w) {
			return ""
		}
		return string(segment.Separator)
	}
	p.lattice.Reset()
	closes := w.kind == quote && *p.quote(w)
	p.opens(w, after)
	switch {
	case glued, closes && p.read(before, w):
		return ""
	case w.kind == quote:
		return space
	case touches(before, w):
		return ""
	case w.kind == joining && before.kind == word && after != nil && after.kind == word:
		p.glued = true
		return ""
	case w.kind == suffix && before.kind == word, before.kind == elided && w.kind == word:
		if p.read(before, w) {
			return ""
		}
	}
	return space
}

// touches reports whether nothing is between two entries because of what one of them is.
func touches(before, w *writtenForm) bool {
	switch {
	case w.kind == closing, w.kind == stop:
		return true
	case before.kind == symbol, w.kind == symbol:
		return false
	case before.kind == opening:
		return true
	case before.tight(), w.tight():
		return before.kind != joining && w.kind != joining && before.kind != quote
	}
	return false
}

// quote returns the state of the quotes of the kind of w.
func (p *printer) quote(w *writtenForm) *bool {
	if w.first == segment.Apostrophe {
		return &p.open[1]
	}
	return &p.open[0]
}

// opens opens or closes a quote. After one that opens there is no space.
func (p *printer) opens(w, after *writtenForm) {
	if w.kind != quote {
		return
	}
	q := p.quote(w)
	*q = !*q
	p.glued = *q && after != nil && after.kind != quote && p.read(w, after)
}

// follows reports whether a run directly after another is read as the two. It may begin
// a new run of the lattice, to which the caller appends w.
func (p *printer) follows(before, w *writtenForm) bool {
	if p.rules.Kind() == segment.Pieces {
		if p.lattice.Takes([]byte(w.form)) {
			return true
		}
		p.lattice.Reset()
		return false
	}
	return !segment.Katakana(before.last) || !segment.Katakana(w.first)
}

// read reports whether two entries with nothing between them are read as the two.
func (p *printer) read(before, w *writtenForm) bool {
	key := [2]string{before.form, w.form}
	same, ok := p.glue[key]
	if !ok {
		p.pair, _ = p.tokenize(p.pair[:0], []byte(before.form+w.form))
		same = len(p.pair) == 2 && p.pair[0] == before.id && p.pair[1] == w.id
		if len(p.glue) < memoTokens {
			p.glue[key] = same
		}
	}
	return same
}

// quotes records whether a double and a single quote are open.
type quotes [2]bool
