package text

import (
	"slices"
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
	apart           // a space on both sides, and no capital: an address, or an entry that Tokenize cuts
)

// How the entries -- and ... are written.
const (
	emDash   = "—"
	ellipsis = "…"
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
		if p.kind = t.classify(spelled); p.kind == word && t.hasCutEntries() && t.cuts(id) {
			p.kind = apart
		}
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
		_, small := t.vocabulary.Lookup("a")
		if _, large := t.vocabulary.Lookup("A"); !small && !large {
			return article
		}
	}
	if holdsAddress(w) {
		return apart
	}
	return word
}

// Detokenize appends the text of entries to dst. Tokenizing it again gives the
// same entries, for entries that came from Tokenize. Where the vocabulary has entries that
// Tokenize cuts, a [ReleaseReader] gives the same entries, whatever they are.
func (t *Tokenizer) Detokenize(dst []byte, ids []embedding.ID) []byte {
	return t.print(dst, ids, true, nil)
}

// DetokenizeInside is Detokenize inside a sentence: the first word gets no capital.
func (t *Tokenizer) DetokenizeInside(dst []byte, ids []embedding.ID) []byte {
	return t.print(dst, ids, false, nil)
}

// print appends entries, the first with a capital or without, and calls ended, if not nil,
// with the end of each.
func (t *Tokenizer) print(dst []byte, ids []embedding.ID, capital bool, ended func(end int)) []byte {
	if t.segmented != nil {
		return t.segmented.print(dst, ids, printing{t.unknown, capital, ended})
	}
	if t.hasCutEntries() {
		return t.printChecked(dst, ids, capital, ended)
	}
	return t.join(dst, ids, capital, ended)
}

// join is print by the rules alone.
func (t *Tokenizer) join(dst []byte, ids []embedding.ID, capital bool, ended func(end int)) []byte {
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
		return emDash
	case dots:
		return ellipsis
	}
	return spelled
}

// possessed reports whether 's directly after an entry is tokenized as the two. After
// another apostrophe it is not.
func (t *Tokenizer) possessed(id embedding.ID) bool {
	spelled := t.vocabulary.Word(id)
	joined := spelled + "'s"
	_, contracted := wholeContractions[joined]
	_, listed := t.vocabulary.Lookup(joined)
	return t.kindOf(id).isWord() && !contracted && !listed && !strings.Contains(spelled, "'")
}

func (k kind) isWord() bool { return k == word || k == article || k == first }

func appendCapital(dst []byte, w string) []byte {
	r, n := utf8.DecodeRuneInString(w)
	// Only if lower case gives the same word again.
	if u := unicode.ToUpper(r); unicode.ToLower(u) == r && strings.ToLower(w) == w {
		dst = utf8.AppendRune(dst, u)
		return append(dst, w[n:]...)
	}
	return append(dst, w...)
}

// hasCutEntries reports whether Tokenize reads any entry otherwise than as that entry.
func (t *Tokenizer) hasCutEntries() bool {
	if t.segmented != nil || t.searched {
		return t.cutsEntries
	}
	t.searched = true
	for id := range t.vocabulary.Len() {
		if t.cuts(embedding.ID(id)) {
			t.cutsEntries = true
			break
		}
	}
	return t.cutsEntries
}

// cuts reports whether Tokenize reads an entry otherwise, where spaces are around it.
func (t *Tokenizer) cuts(id embedding.ID) bool {
	w := t.vocabulary.Word(id)
	switch {
	case lowerLetters(w):
		return false
	case w == "--":
		w = emDash
	case w == "...":
		w = ellipsis
	}
	ids, _ := t.Tokenize(nil, []byte(" "+w+" "))
	return !slices.Equal(ids, []embedding.ID{id})
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
