package embedding

import (
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/internal/zipf"
)

// Counts returns how often each word occurs in the text that the table was trained on. It
// returns nil if the table does not store this. The caller must not change the slice.
func (t *Table) Counts() []int64 { return t.counts }

// Shares returns the share of each word in text: by the stored counts, or estimated from
// the places of the words, most frequent first.
func (t *Table) Shares() []float64 {
	if t.counts == nil {
		return zipf.Shares(len(t.words))
	}
	total := 0.0
	for _, n := range t.counts {
		total += float64(n)
	}
	shares := make([]float64, len(t.counts))
	for i, n := range t.counts {
		shares[i] = float64(n) / total
	}
	return shares
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
		t.rules = t.rules.Restrict(func(word string) bool { _, ok := t.index[word]; return ok })
	}
}
