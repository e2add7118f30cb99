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

// addTo adds the weights of the terms of row i, each times scale, to the scores of its classes.
func (m *Sparse) addTo(scores, weights []float32, i int, scale float32) {
	at, value := m.Row(i)
	value = value[:len(at)]
	classes := len(scores)
	switch classes {
	case 2:
		s0, s1 := scores[0], scores[1]
		for n, j := range at {
			x := value[n] * scale
			own := weights[2*int(j):][:2]
			s0 += own[0] * x
			s1 += own[1] * x
		}
		scores[0], scores[1] = s0, s1
	case 4:
		s0, s1, s2, s3 := scores[0], scores[1], scores[2], scores[3]
		for n, j := range at {
			x := value[n] * scale
			own := weights[4*int(j):][:4]
			s0 += own[0] * x
			s1 += own[1] * x
			s2 += own[2] * x
			s3 += own[3] * x
		}
		scores[0], scores[1], scores[2], scores[3] = s0, s1, s2, s3
	default:
		for n, j := range at {
			x := value[n] * scale
			for c, own := range weights[classes*int(j):][:classes] {
				scores[c] += own * x
			}
		}
	}
}

// pull adds the derivatives of row i, each times scale, to those of the weights of its terms.
func (m *Sparse) pull(slopes, pulls []float32, i int, scale float32) {
	at, value := m.Row(i)
	value = value[:len(at)]
	classes := len(pulls)
	for n, j := range at {
		x := value[n] * scale
		own := slopes[classes*int(j):][:classes]
		for c, p := range pulls {
			own[c] += x * p
		}
	}
}

// Row is the features of one text: Dim numbers, and the terms that it has of a vocabulary.
type Row struct {
	Features []float32
	Terms    []uint32
	Value    []float32
}
