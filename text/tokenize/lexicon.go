package tokenize

import (
	"sync"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
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
	if v.Segmentation() != nil {
		return (&lexicon{vocabulary: v}).tokenizer()
	}
	return newLexicon(v).tokenizer()
}

func (l *lexicon) tokenizer() *Tokenizer {
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
