package tokenize

import (
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// Vocabulary is the part of a table that the rules need.
type Vocabulary interface {
	Len() int
	Lookup(word string) (embedding.ID, bool)
	Word(id embedding.ID) string
	Unknown() embedding.ID
	// Segmentation returns the rules that cut texts into words; nil means those of this
	// package, which are for English.
	Segmentation() *segment.Rules
}

// subwordsOf returns the tokenizer of a vocabulary whose entries are not words.
func subwordsOf(v Vocabulary) *subword.Tokenizer {
	if t, ok := v.(*embedding.Table); ok {
		return t.Subwords()
	}
	return nil
}

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

// lexicon is what the tokenizers of one vocabulary share. It is safe for concurrent use.
type lexicon struct {
	vocabulary Vocabulary
	missing    embedding.ID // the unknown entry
	special    []special
	possessive embedding.ID // the entry 's
	possesses  bool
	is         embedding.ID
	takesIs    map[embedding.ID]bool // words after which 's is short for is
	release    bool                  // it reads what Detokenize wrote, whose 's is an entry
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

// piece is how an entry is written if no rule changes it: in a fourth of a line of cache,
// and without a pointer to follow.
type piece struct {
	kind  kind
	small bool  // a capital is the first letter less 0x20
	size  uint8 // of text; 0 if the spelling is longer
	text  [13]byte
}
