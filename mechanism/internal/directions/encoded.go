package directions

import (
	"context"

	"github.com/sotto-dp/sotto/internal/symmetric"
)

// Encoded are the vectors of public texts, on the grid of a corpus.
type Encoded interface {
	Len() int
	Dim() int
	Vector(dst []int8, i int) []int8 // appends that of text i
}

// MostEncoded is the largest number of components of an encoder's vectors, which bounds the
// time that their directions take.
const MostEncoded = 1024

// fittedTexts is the number of texts of a corpus on which a map is fitted, evenly spaced where
// there are more: the directions of few components do not change with more.
const fittedTexts = 4096

// spare is the number of directions that are computed beside those that are used: the last ones
// are found more slowly.
const spare = 8

// NewEncodedWhitening fits the map to out dimensions on the vectors of public texts, which have
// at least that many. Texts have equal weights.
func NewEncodedWhitening(ctx context.Context, texts Encoded, out int) (*Whitening, error) {
	in, n := texts.Dim(), min(texts.Len(), fittedTexts)
	w := &Whitening{in: in, out: out, mean: make([]float64, in), rows: make([]float64, out*in)}
	sums, products := make([]int64, in), make([]int32, in*in) // exact: 4096*127*127 is below 2^27
	var v []int8
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v = texts.Vector(v[:0], i*texts.Len()/n)
		for k, x := range v {
			sums[k] += int64(x)
			if x == 0 {
				continue
			}
			row, rest := products[k*in+k:(k+1)*in], v[k:]
			for j, y := range rest {
				row[j] += int32(x) * int32(y)
			}
		}
	}
	spread := make([]float64, in*in)
	for i := range in {
		w.mean[i] = float64(sums[i]) / float64(n)
		for j := i; j < in; j++ {
			// n^2 times the covariance, a whole number below 2^53.
			c := float64(int64(n)*int64(products[i*in+j]) - sums[i]*sums[j])
			spread[i*in+j], spread[j*in+i] = c, c
		}
	}
	if 2*(out+spare) > in {
		w.along(symmetric.Eigen(spread, in))
		return w, nil
	}
	values, vectors, err := symmetric.Leading(ctx, spread, in, out+spare)
	if err != nil {
		return nil, err
	}
	w.along(values, vectors)
	return w, nil
}
