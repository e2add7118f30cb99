package tokenize

import (
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// plain reports whether the text is written with at most a space before it and a capital.
func (p *piece) plain(capital bool) bool {
	return p.size > 0 && (p.kind == word && (!capital || p.small) || p.kind == closing || p.kind == stop)
}

func (t *Tokenizer) kindOf(id embedding.ID) kind { return t.lexicon.pieces[id].kind }

// inspect finds how each entry is written, once for all tokenizers of a vocabulary.
func (t *Tokenizer) inspect() { t.lexicon.inspected.Do(func() { t.lexicon.inspect() }) }

func (l *lexicon) inspect() {
	alone := newLexicon(l.vocabulary) // it keeps the memo of texts free of entries
	reader := alone.tokenizer()
	alone.memo.depth, reader.long = levels, nil // each entry is read once: no need to cache it
	l.pieces = make([]piece, l.vocabulary.Len())
	for i := range l.pieces {
		p, spelled := &l.pieces[i], l.vocabulary.Word(embedding.ID(i))
		p.kind = l.classify(spelled)
		p.small = 'a' <= spelled[0] && spelled[0] <= 'z' && strings.ToLower(spelled) == spelled
		if reader.cuts(embedding.ID(i)) {
			l.cutsEntries = true
			if p.kind == word {
				p.kind = apart
			}
		}
		if len(spelled) <= len(p.text) {
			p.size = uint8(copy(p.text[:], spelled))
		}
	}
}

func (l *lexicon) classify(w string) kind {
	switch w {
	case ".", "!", "?":
		return stop
	case ",", ";", ":", ")", "]", "}", "%":
		return closing
	case "'s":
		return possessive
	case "(", "[", "{", "$":
		return opening
	case "-", "/":
		return joining
	case `"`, "'":
		return quote
	case "i":
		return first
	case "--":
		return dash
	case "...":
		return dots
	case "an":
		_, small := l.vocabulary.Lookup("a")
		if _, large := l.vocabulary.Lookup("A"); !small && !large {
			return article
		}
	}
	if holdsAddress(w) {
		return apart
	}
	return word
}

// hasCutEntries reports whether Tokenize reads any entry otherwise than as that entry.
func (t *Tokenizer) hasCutEntries() bool {
	if t.segmented != nil {
		return false
	}
	t.inspect()
	return t.lexicon.cutsEntries
}

// cuts reports whether Tokenize reads an entry otherwise, where spaces are around it.
func (t *Tokenizer) cuts(id embedding.ID) bool {
	w := t.lexicon.vocabulary.Word(id)
	switch {
	case lowerLetters(w):
		return false
	case w == "--":
		w = emDash
	case w == "...":
		w = ellipsis
	}
	t.entry = append(append(append(t.entry[:0], ' '), w...), ' ')
	t.reread, _ = t.Tokenize(t.reread[:0], t.entry)
	return len(t.reread) != 1 || t.reread[0] != id
}

// lowerLetters reports whether a word is of a to z alone. Such a word is one token, which
// is looked up as it is.
func lowerLetters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return w != ""
}

const ellipsis = "…"

// How the entries -- and ... are written.
const (
	emDash = "—"
)

// holdsAddress reports whether a form holds an address: joined to others it would be read
// otherwise.
func holdsAddress(form string) bool {
	addresses := segment.NewAddresses([]byte(form))
	_, _, ok := addresses.Next()
	return ok
}
