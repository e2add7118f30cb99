package embedding

import (
	"fmt"

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

// mostCount bounds a count, so that sums are exact.
const mostCount = 1 << 40

// checkCounts refuses counts that are not one positive number for each word.
func (t *Table) checkCounts() error {
	if t.counts == nil {
		return nil
	}
	if len(t.counts) != len(t.words) {
		return fmt.Errorf("embedding: %d counts for %d words", len(t.counts), len(t.words))
	}
	for i, n := range t.counts {
		if n < 1 || n > mostCount {
			return fmt.Errorf("embedding: the count of word %d must be 1 to 2^40, got %d", i+1, n)
		}
	}
	return nil
}

// restrict leaves the rules with the pieces and forms of the table's words alone.
func (t *Table) restrict() {
	if t.rules != nil {
		t.rules = t.rules.Restrict(func(word string) bool { _, ok := t.index[word]; return ok })
	}
}

// fits returns an error unless the rules keep each word whole, so that the output of a
// mechanism is read as it was written.
func (t *Table) fits() error {
	if err := t.rules.Fits(t.words, func(word string) bool { _, ok := t.index[word]; return ok }); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	return nil
}
