package release

import "github.com/sotto-dp/sotto/statement"

// WordCounts counts how often each word of a table is drawn in some texts. It is as private
// as the texts, so it has no JSON and no printed form. The zero value is empty. It is for
// one goroutine.
type WordCounts struct{ tally Tally }

// Add adds the words of a batch. A batch of whole texts has none.
func (w *WordCounts) Add(p *Pending) { p.batch.Tally(&w.tally) }

// total returns the number of tokens.
func (w *WordCounts) total() int {
	sum := w.tally.Other
	for _, n := range w.tally.Words {
		sum += n
	}
	return sum
}

// Distinct returns the number of distinct words. It is as private as the texts.
func (w *WordCounts) Distinct() int {
	n := 0
	for _, count := range w.tally.Words {
		if count > 0 {
			n++
		}
	}
	return n
}

// MarshalJSON returns an error.
func (*WordCounts) MarshalJSON() ([]byte, error) { return nil, statement.ErrContent }

// MarshalText returns an error.
func (*WordCounts) MarshalText() ([]byte, error) { return nil, statement.ErrContent }

// String hides the counts.
func (*WordCounts) String() string { return "(withheld)" }

// GoString hides the counts.
func (*WordCounts) GoString() string { return "(withheld)" }
