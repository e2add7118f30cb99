package synthesis

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
)

// heldOut bounds the public texts, evenly spread, that ExpectedFar is of.
const heldOut = 4096

// ExpectedFar returns about which share of records that are like the public texts counts as far:
// that of the public texts when each is compared with the centres without it. A centre is near
// to the texts that it is the mean of, so of others more are far, the more the smaller the
// corpus. It is 0 for a corpus without vectors.
func ExpectedFar(ctx context.Context, c *corpus.Corpus) (float64, error) {
	_, size := candidates(c, 1, 0, 1)
	k, err := c.Clusters(ctx, size)
	if err != nil {
		return 0, err
	}
	w := newWithout(c, k)
	below, far, all := farBelow(c, k), 0, 0
	for i := 0; i < c.Len(); i += 1 + (c.Len()-1)/heldOut {
		if w.vector = c.Vector(w.vector[:0], i); isZero(w.vector) {
			continue
		}
		if all++; w.far(k.Of(i), below) {
			far++
		}
	}
	return float64(far) / float64(max(1, all)), nil
}

// without compares a text with the centres of clusters that do not have it.
type without struct {
	*corpus.Clusters
	dim            int
	sums           []int64 // of the vectors of each cluster
	sizes          []int
	vector, centre []int8
	mean           []float64
}

func newWithout(c *corpus.Corpus, k *corpus.Clusters) *without {
	w := &without{Clusters: k, dim: c.Dim(), sums: make([]int64, k.Len()*c.Dim()), sizes: make([]int, k.Len()), mean: make([]float64, c.Dim())}
	for i := range c.Len() {
		w.vector = c.Vector(w.vector[:0], i)
		for at, x := range w.vector {
			w.sums[k.Of(i)*w.dim+at] += int64(x)
		}
		w.sizes[k.Of(i)]++
	}
	return w
}

// far reports whether the vector of a text of cluster own is far from all centres.
func (w *without) far(own int, below int32) bool {
	if w.sizes[own] > 1 {
		for at, x := range w.vector {
			w.mean[at] = float64(w.sums[own*w.dim+at] - int64(x))
		}
		if w.centre = corpus.Quantize(w.centre[:0], w.mean); score(w.vector, w.centre) >= below {
			return false
		}
	}
	for other := range w.Len() {
		if other == own {
			continue
		}
		if w.centre = w.Centre(w.centre[:0], other); score(w.vector, w.centre) >= below {
			return false
		}
	}
	return true
}
