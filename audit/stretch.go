package audit

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// Stretch is the range of ||Phi (x - x')|| / ||x - x'|| over pairs of different
// vectors among the first limit words of a table. Phi is row after row, with one
// column a dimension. A projection that keeps distances within 1 - beta and
// 1 + beta has its range in there; the upper end is what its noise must pay for.
func Stretch(phi []float64, table *embedding.Table, limit int) (low, high float64) {
	n, dim := min(limit, table.Len()), table.Dim()
	low = math.Inf(1)
	images, vectors := make([][]float64, n), make([][]float64, n)
	for i := range n {
		vectors[i] = widen(table.Vector(nil, embedding.ID(i)))
		for r := 0; r < len(phi); r += dim {
			s := 0.0
			for k, v := range vectors[i] {
				s += float64(phi[r+k] * v)
			}
			images[i] = append(images[i], s)
		}
		for j := range i {
			before := euclid(vectors[i], vectors[j])
			if before == 0 {
				continue
			}
			ratio := euclid(images[i], images[j]) / before
			low, high = min(low, ratio), max(high, ratio)
		}
	}
	return low, high
}

func euclid(a, b []float64) float64 {
	q := 0.0
	for k, v := range a {
		q += float64((v - b[k]) * (v - b[k]))
	}
	return math.Sqrt(q)
}
