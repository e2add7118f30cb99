package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
)

// kind is how an entry is spaced.
type kind uint8

const (
	unseen     kind = iota
	word            // a space on both sides
	closing         // no space before
	possessive      // the entry 's: no space after a word
	opening         // no space after
	joining         // no space on either side, between words
	quote           // opens and closes in turn
	stop            // closing, and a capital after it
	article         // the entry an of a vocabulary without a
	first           // the entry i
	dash            // the entry --, written as a dash
	dots            // the entry ..., written as an ellipsis
	address         // a space on both sides, and no capital
)

// piece is how an entry is written if no rule changes it: in one line of cache, and
// without a pointer to follow.
type piece struct {
	kind kind
	size uint8 // of text; 0 if the spelling is longer or has to be looked up
	text [14]byte
}

func (t *Tokenizer) kindOf(id embedding.ID) kind { return t.piece(id).kind }

func (t *Tokenizer) piece(id embedding.ID) *piece {
	if t.pieces == nil {
		t.pieces = make([]piece, t.vocabulary.Len())
	}
	p := &t.pieces[id]
	if p.kind == unseen {
		spelled := t.vocabulary.Word(id)
		p.kind = t.classify(spelled)
		if len(spelled) <= len(p.text) && (t.unknown == "" || id != t.missing) {
			p.size = uint8(copy(p.text[:], spelled))
		}
	}
	return p
}

func (t *Tokenizer) classify(w string) kind {
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
		if _, ok := t.vocabulary.Lookup("a"); !ok {
			return article
		}
	}
	if holdsAddress(w) {
		return address
	}
	return word
}

// Detokenize appends the text of entries to dst. Tokenizing it again gives the
// same entries, for entries that came from Tokenize.
func (t *Tokenizer) Detokenize(dst []byte, ids []embedding.ID) []byte {
	return t.print(dst, ids, true, nil)
}

// DetokenizeInside is Detokenize inside a sentence: the first word gets no capital.
func (t *Tokenizer) DetokenizeInside(dst []byte, ids []embedding.ID) []byte {
	return t.print(dst, ids, false, nil)
}

// Pieces returns the text of Detokenize in pieces, one per entry with the space
// before it.
func (t *Tokenizer) Pieces(ids []embedding.ID) []string {
	ends := make([]int, 0, len(ids))
	text := string(t.print(nil, ids, true, func(end int) { ends = append(ends, end) }))
	pieces, at := make([]string, len(ids)), 0
	for i, end := range ends {
		pieces[i], at = text[at:end], end
	}
	return pieces
}

// print appends entries, the first with a capital or without, and calls ended, if not nil,
// with the end of each.
func (t *Tokenizer) print(dst []byte, ids []embedding.ID, capital bool, ended func(end int)) []byte {
	if t.segmented != nil {
		return t.segmented.print(dst, ids, printing{t.unknown, capital, ended})
	}
	glued := true // glued: no space before the next entry
	var open quotes
	for i, id := range ids {
		p := t.piece(id)
		k := p.kind
		if p.size > 0 && (k == word && !capital || k == closing || k == stop) { // most entries
			if k == word && !glued {
				dst = append(dst, ' ')
			}
			end := len(dst) + int(p.size)
			dst = append(dst, p.text[:]...)[:end] // of a fixed length: no call
			if ended != nil {
				ended(end)
			}
			capital, glued = capital || k == stop, false
			continue
		}
		before, after := t.spaces(ids, i, &open)
		if before && !glued {
			dst = append(dst, ' ')
		}
		spelled := t.spelling(ids, i)
		if capital && k.isWord() && spelled[0] != '<' && (t.unknown == "" || id != t.missing) {
			dst = appendCapital(dst, spelled)
			capital = false
		} else {
			dst = append(dst, spelled...)
		}
		if ended != nil {
			ended(len(dst))
		}
		if k == stop || k == dots {
			capital = true
		}
		glued = !after
	}
	return dst
}

// quotes records whether a double and a single quote are open.
type quotes [2]bool

// spaces reports whether there is a space before and after an entry.
func (t *Tokenizer) spaces(ids []embedding.ID, i int, open *quotes) (before, after bool) {
	before, after = true, true
	switch t.kindOf(ids[i]) {
	case closing, stop:
		before = false
	case possessive:
		before = i > 0 && !t.possessed(ids[i-1])
	case opening:
		after = false
	case joining:
		// Only between words, and never beside other punctuation.
		if i > 0 && i+1 < len(ids) && t.kindOf(ids[i-1]).isWord() && t.kindOf(ids[i+1]).isWord() {
			before, after = false, false
		}
	case quote:
		q, single := &open[0], t.vocabulary.Word(ids[i]) == "'"
		if single {
			q = &open[1]
		}
		before, after = !*q, *q
		*q = !*q
		// An apostrophe must touch neither s, which would read as 's, nor
		// two words at once.
		if single && i+1 < len(ids) && t.vocabulary.Word(ids[i+1]) == "s" {
			before, after = true, true
		}
	}
	return before, after
}

// spelling returns how an entry is written, except for a capital.
func (t *Tokenizer) spelling(ids []embedding.ID, i int) string {
	spelled := t.vocabulary.Word(ids[i])
	if t.unknown != "" && ids[i] == t.missing {
		return t.unknown
	}
	switch t.kindOf(ids[i]) {
	case article:
		if i+1 >= len(ids) || !vowelSound(t.vocabulary.Word(ids[i+1])) {
			return "a"
		}
	case first:
		return "I"
	case dash:
		return "—"
	case dots:
		return "…"
	}
	return spelled
}

// possessed reports whether 's directly after an entry is tokenized as the two.
func (t *Tokenizer) possessed(id embedding.ID) bool {
	joined := t.vocabulary.Word(id) + "'s"
	_, contracted := wholeContractions[joined]
	_, listed := t.vocabulary.Lookup(joined)
	return t.kindOf(id).isWord() && !contracted && !listed
}

func (k kind) isWord() bool { return k == word || k == article || k == first }

func appendCapital(dst []byte, w string) []byte {
	r, n := utf8.DecodeRuneInString(w)
	// Only if lower case gives the same word again.
	if u := unicode.ToUpper(r); unicode.ToLower(u) == r {
		dst = utf8.AppendRune(dst, u)
		return append(dst, w[n:]...)
	}
	return append(dst, w...)
}

// vowelSound reports whether a word takes "an", by its first letter and the
// common exceptions of English.
func vowelSound(w string) bool {
	for _, p := range []string{"hour", "honest", "honor", "honour", "heir"} {
		if strings.HasPrefix(w, p) {
			return true
		}
	}
	for _, p := range []string{"uni", "use", "usu", "eu", "one", "once", "ewe", "ufo", "uti", "ukr"} {
		if strings.HasPrefix(w, p) {
			return strings.HasPrefix(w, "unin") || strings.HasPrefix(w, "unim")
		}
	}
	return w != "" && strings.ContainsRune("aeiou", rune(w[0]))
}
