package tokenize

import (
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
