package learn

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Sparse holds rows of which most numbers are 0.
type Sparse struct {
	Cols  int
	Ends  []int // of each row in At and Value
	At    []uint32
	Value []float32
}

// Len returns the number of rows.
func (m *Sparse) Len() int { return len(m.Ends) }

// Row returns the places and the numbers of row i.
func (m *Sparse) Row(i int) (at []uint32, value []float32) {
	from := 0
	if i > 0 {
		from = m.Ends[i-1]
	}
	return m.At[from:m.Ends[i]], m.Value[from:m.Ends[i]]
}

func (m *Sparse) add(r Row) {
	m.At, m.Value = append(m.At, r.Terms...), append(m.Value, r.Value...)
	m.Ends = append(m.Ends, len(m.At))
}

func (m *Sparse) check(rows int) error {
	if len(m.Ends) != rows || len(m.At) != len(m.Value) || rows > 0 && m.Ends[rows-1] != len(m.At) {
		return privacy.Wrong("learn", "terms", fmt.Sprintf("%d rows for %d rows of features", len(m.Ends), rows), "give one row of terms for each row of features")
	}
	before := 0
	for _, end := range m.Ends {
		if end < before {
			return privacy.Wrong("learn", "terms", "the rows are out of order", "give ends of rows that ascend")
		}
		before = end
	}
	for i, at := range m.At {
		if x := float64(m.Value[i]); int(at) >= m.Cols || math.IsNaN(x) || math.IsInf(x, 0) {
			return privacy.Wrong("learn", "terms", fmt.Sprintf("term %d is not in the vocabulary, or its value is not finite", at), fmt.Sprintf("give terms below %d with finite values", m.Cols))
		}
	}
	return nil
}

// Row is the features of one text: Dim numbers, and the terms that it has of a vocabulary.
type Row struct {
	Features []float32
	Terms    []uint32
	Value    []float32
}
