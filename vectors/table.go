package vectors

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// table returns the table of the words and their vectors, the most frequent word first.
func (c *counts) table(name string, dim int, vectors []float32) (*embedding.Table, error) {
	order := make([]int, len(c.list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(c.count[b], c.count[a]), cmp.Compare(a, b)) })
	src := embedding.Source{Name: name, Dim: dim, Vectors: make([]float32, 0, len(vectors)), Segmentation: c.rules}
	for _, i := range order {
		src.Words, src.Counts = append(src.Words, c.list[i]), append(src.Counts, max(1, c.count[i]))
		src.Vectors = append(src.Vectors, vectors[i*dim:(i+1)*dim]...)
	}
	scale(src.Vectors, len(src.Words))
	return embedding.New(src)
}

// length is the root mean square of the vectors' lengths. That of GloVe in 100 dimensions
// is 5.9 over its 1,000 most frequent words, so an epsilon per unit of distance means about
// the same.
const length = 6

// scale gives vectors that length. A row of zeros, of a word without pairs, stays.
func scale(vectors []float32, rows int) {
	total := 0.0
	for _, x := range vectors {
		total += float64(x) * float64(x)
	}
	if total == 0 {
		return
	}
	f := length / math.Sqrt(total/float64(rows))
	for i, v := range vectors {
		vectors[i] = float32(float64(v) * f)
	}
}
