package tokenize

import (
	"slices"
	"strings"
	"sync"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// kind is how an entry is spaced.
type kind uint8

const (
	word       kind = iota // a space on both sides
	closing                // no space before
	possessive             // the entry 's: no space after a word
	opening                // no space after
	joining                // no space on either side, between words
	quote                  // opens and closes in turn
	stop                   // closing, and a capital after it
	article                // the entry an of a vocabulary without a
	first                  // the entry i
	dash                   // the entry --, written as a dash
	dots                   // the entry ..., written as an ellipsis
	apart                  // a space on both sides, and no capital: an address, or an entry that Tokenize cuts
)

// plain reports whether the text is written with at most a space before it and a capital.
func (p *piece) plain(capital bool) bool {
	return p.size > 0 && (p.kind == word && (!capital || p.small) || p.kind == closing || p.kind == stop)
}

func (t *Tokenizer) kindOf(id embedding.ID) kind { return t.lexicon.pieces[id].kind }

// inspect finds how each entry is written, once for all tokenizers of a vocabulary.
func (t *Tokenizer) inspect() { t.lexicon.inspected.Do(func() { t.lexicon.inspect() }) }

func (l *lexicon) inspect() {
	reader := NewTokenizer(l.vocabulary) // it keeps the memo of texts free of entries
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

// lexicon is what the tokenizers of one vocabulary share. It is safe for concurrent use.
type lexicon struct {
	vocabulary Vocabulary
	missing    embedding.ID // the unknown entry
	special    []special
	possessive embedding.ID // the entry 's
	possesses  bool
	is         embedding.ID
	takesIs    map[embedding.ID]bool // words after which 's is short for is
	memo       *memo

	inspected   sync.Once
	pieces      []piece // of each entry, for Detokenize
	cutsEntries bool
}

// special is an entry that is written in angle brackets.
type special struct {
	name string // without them
	id   embedding.ID
}

func newLexicon(v Vocabulary) *lexicon {
	l := &lexicon{vocabulary: v, missing: v.Unknown(), memo: newMemo(), takesIs: map[embedding.ID]bool{}}
	for _, name := range []string{"unk", "num"} {
		if id, ok := v.Lookup("<" + name + ">"); ok {
			l.special = append(l.special, special{name, id})
		}
	}
	l.possessive, l.possesses = v.Lookup("'s")
	if is, ok := v.Lookup("is"); ok {
		l.is = is
		for _, w := range isShortenedAfter {
			if id, ok := v.Lookup(w); ok {
				l.takesIs[id] = true
			}
		}
	}
	return l
}

// NewTokenizer makes the tokenizer of a vocabulary.
func NewTokenizer(v Vocabulary) *Tokenizer {
	if v.Segmentation() != nil || subwordsOf(v) != nil {
		return (&lexicon{vocabulary: v}).tokenizer()
	}
	return newLexicon(v).tokenizer()
}

func (l *lexicon) tokenizer() *Tokenizer {
	if tokens := subwordsOf(l.vocabulary); tokens != nil {
		return &Tokenizer{lexicon: l, subwords: tokens}
	}
	if rules := l.vocabulary.Segmentation(); rules != nil {
		return &Tokenizer{lexicon: l, segmented: newSegmented(l.vocabulary, rules)}
	}
	return &Tokenizer{lexicon: l, long: map[string][]embedding.ID{}, boundaries: words.FromBytes(nil)}
}

// Clone returns a tokenizer of the same vocabulary, with the same settings, for another
// goroutine. The two share what they find out about tokens and entries.
func (t *Tokenizer) Clone() *Tokenizer {
	c := t.lexicon.tokenizer()
	c.WriteUnknown(t.unknown)
	if t.cutsAddresses {
		c.CutAddresses()
	}
	return c
}

// piece is how an entry is written if no rule changes it: in a fourth of a line of cache,
// and without a pointer to follow.
type piece struct {
	kind  kind
	small bool  // a capital is the first letter less 0x20
	size  uint8 // of text; 0 if the spelling is longer
	text  [13]byte
}
