package vectors

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// unknown is the entry for tokens that are not in the table.
const unknown = "<unk>"

// rare is the number of words whose mean represents unknown tokens.
const rare = 1000

// table returns the table of the words and their vectors, the most frequent word first.
// Unless the corpus has a word <unk>, the table has an entry of that name for unknown
// tokens, with the count of these. Its vector has the direction of the mean of the rarest
// words and their mean length. The mean itself is shorter, and so near to many words that
// it would replace them.
func (c *counts) table(o Options, vectors []float32) (*embedding.Table, error) {
	dim := o.Dimensions
	scale(vectors, len(c.list))
	order := byCount(c.list, c.count)
	if !slices.Contains(c.list, unknown) {
		vectors = append(vectors, typical(vectors, dim, order[max(0, len(order)-rare):])...)
		c.list, c.count = append(c.list, unknown), append(c.count, c.tokens-sum(c.count))
		order = byCount(c.list, c.count)
	}
	if o.SameLength {
		for row := range slices.Chunk(vectors, dim) {
			scale(row, 1)
		}
	}
	src := embedding.Source{Name: o.Name, Dim: dim, Vectors: make([]float32, 0, len(vectors)), Segmentation: c.rules}
	for _, i := range order {
		src.Words, src.Counts = append(src.Words, c.list[i]), append(src.Counts, max(1, c.count[i]))
		src.Vectors = append(src.Vectors, vectors[i*dim:(i+1)*dim]...)
	}
	return embedding.New(src)
}

// byCount returns the places of words, the most frequent first.
func byCount(list []string, count []int64) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return order
}

// typical returns a vector of dim numbers with the direction of the mean of some rows, and
// the mean of their lengths.
func typical(vectors []float32, dim int, rows []int) []float32 {
	total, lengths := make([]float64, dim), 0.0
	for _, i := range rows {
		square := 0.0
		for k, x := range vectors[i*dim : (i+1)*dim] {
			total[k] += float64(x)
			square += float64(float64(x) * float64(x))
		}
		lengths += math.Sqrt(square)
	}
	square := 0.0
	for _, x := range total {
		square += float64(x * x)
	}
	out := make([]float32, dim)
	if square == 0 {
		return out
	}
	f := lengths / float64(len(rows)) / math.Sqrt(square)
	for k, x := range total {
		out[k] = float32(x * f)
	}
	return out
}

func sum(counts []int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
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
