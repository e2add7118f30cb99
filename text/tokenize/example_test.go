package tokenize_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// words is a vocabulary of three words.
type words []string

func (w words) Len() int                    { return len(w) }
func (w words) Word(id embedding.ID) string { return w[id] }
func (w words) Unknown() embedding.ID       { return 0 }

// Segmentation returns nil: texts are read by the rules for English.
func (words) Segmentation() *segment.Rules { return nil }

func (w words) Lookup(word string) (embedding.ID, bool) {
	for i, known := range w {
		if known == word {
			return embedding.ID(i), true
		}
	}
	return 0, false
}

func ExampleTokenizer_Tokenize() {
	t := tokenize.NewTokenizer(words{"<unk>", "nurse", "kind"})
	ids, unknown := t.Tokenize(nil, []byte("Nurse Miller kind"))
	fmt.Println(ids, unknown)
	// Output: [1 0 2] 1
}
