package embedding

import "github.com/sotto-dp/sotto/internal/zipf"

// Counts returns how often each word occurs in the text that the table was trained on. It
// returns nil if the table does not store this. The caller must not change the slice.
func (t *Table) Counts() []int64 { return t.counts }

// Shares returns the share of each word in text: by the stored counts, or estimated from
// the places of the words, most frequent first.
func (t *Table) Shares() []float64 {
	if t.counts == nil {
		return zipf.Shares(t.Len())
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
