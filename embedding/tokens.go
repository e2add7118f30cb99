package embedding

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// Subwords returns the tokenizer of a table whose entries are the tokens of an encoder of
// texts. It returns nil if the entries are words.
func (t *Table) Subwords() *subword.Tokenizer { return t.subwords }

// OfWords returns an error if the entries of the table are not words: tokens can be read, but
// a text is not made of them, and none can be left out.
func (t *Table) OfWords() error {
	if t.subwords == nil {
		return nil
	}
	return fmt.Errorf("embedding: the table %s has the tokens of an encoder of texts and not words: use it for corpora, or for vectors of documents", t.name)
}

// Segmentation returns the rules that cut texts into words of the table. Nil means those
// for English of package text.
func (t *Table) Segmentation() *segment.Rules { return t.rules }

// Language returns the language of the words, as in ISO 639: that of the rules of segmentation, or
// that of an embedded table. It is empty where nothing says it.
func (t *Table) Language() string {
	if t.rules != nil {
		return t.rules.Language()
	}
	return t.spoken
}

// restrict leaves the rules with the pieces and forms of the table's words alone.
func (t *Table) restrict() {
	if t.rules != nil {
		t.rules = t.rules.Restrict(t.has)
	}
}

// TextEncoder is the caller's encoder of texts. A claim for what it encodes depends on it being
// public and reading one text at a time. It is called before a batch is charged for, and is safe
// for concurrent use.
type TextEncoder interface {
	Dim() int
	// Vectors returns a vector of Dim components for each text.
	Vectors(ctx context.Context, texts [][]byte) ([][]float64, error)
}
