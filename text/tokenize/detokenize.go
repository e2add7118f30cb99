package tokenize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
)

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
		return t.printGroups(dst, ids, capital, ended)
	}
	return t.join(dst, ids, capital, ended)
}

// join is print by the rules alone.
func (t *Tokenizer) join(dst []byte, ids []embedding.ID, capital bool, ended func(end int)) []byte {
	glued := true // no space before the next entry
	var open quotes
	for i, id := range ids {
		p := &t.lexicon.pieces[id]
		k := p.kind
		if p.plain(capital) && (id != t.lexicon.missing || t.unknown == "") { // most entries
			if k == word && !glued {
				dst = append(dst, ' ')
			}
			from := len(dst)
			end := from + int(p.size)
			dst = append(dst, p.text[:]...)[:end] // of a fixed length: no call
			if capital && k == word {
				dst[from] -= 'a' - 'A'
				capital = false
			}
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
		if capital && k.isWord() && spelled[0] != '<' && (t.unknown == "" || id != t.lexicon.missing) {
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
		q, single := &open[0], t.lexicon.vocabulary.Word(ids[i]) == "'"
		if single {
			q = &open[1]
		}
		before, after = !*q, *q
		*q = !*q
		// An apostrophe must touch neither s, which would read as 's, nor
		// two words at once.
		if single && i+1 < len(ids) && t.lexicon.vocabulary.Word(ids[i+1]) == "s" {
			before, after = true, true
		}
	}
	return before, after
}

// spelling returns how an entry is written, except for a capital.
func (t *Tokenizer) spelling(ids []embedding.ID, i int) string {
	spelled := t.lexicon.vocabulary.Word(ids[i])
	if t.unknown != "" && ids[i] == t.lexicon.missing {
		return t.unknown
	}
	switch t.kindOf(ids[i]) {
	case article:
		if i+1 >= len(ids) || !vowelSound(t.lexicon.vocabulary.Word(ids[i+1])) {
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
	spelled := t.lexicon.vocabulary.Word(id)
	joined := spelled + "'s"
	_, contracted := wholeContractions[joined]
	_, listed := t.lexicon.vocabulary.Lookup(joined)
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
