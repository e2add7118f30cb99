package audit

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// truncated is i.i.d. truncated Laplace noise in Dim dimensions: density
// proportional to e^(-Alpha |u|) on [-Bound, Bound], after clipping to l2 norm
// Clip.
type truncated struct {
	Dim                int
	Clip, Alpha, Bound float64
}

// publishedTruncated returns the noise that the TrLaplace paper derives for (epsilon,
// delta) with delta = root^dim: Alpha = epsilon/(2 Clip sqrt dim), Bound =
// -ln(1 - epsilon/(2 root sqrt dim))/Alpha. It exists for epsilon < 2 root sqrt dim.
func publishedTruncated(dim int, clip, epsilon, root float64) (truncated, error) {
	spread := math.Sqrt(float64(dim))
	if limit := 2 * root * spread; !(epsilon > 0 && epsilon < limit) {
		return truncated{}, privacy.Bad("audit", "epsilon", epsilon, fmt.Sprintf("in (0, %g)", limit))
	}
	alpha := epsilon / (2 * clip * spread)
	return truncated{dim, clip, alpha, -math.Log1p(-epsilon/(2*root*spread)) / alpha}, nil
}

// outside returns q(u): the mass of one component's noise that a shift by u moves
// beyond the other input's support.
func (t truncated) outside(u float64) float64 {
	whole := -2 * math.Expm1(-t.Alpha*t.Bound) // 2 (1 - e^(-alpha A))
	switch {
	case u <= t.Bound:
		return math.Exp(-t.Alpha*t.Bound) * math.Expm1(t.Alpha*u) / whole
	case u < 2*t.Bound:
		return 0.5 - math.Expm1(-t.Alpha*(u-t.Bound))/whole
	}
	return 1
}

// Delta returns the true delta of two inputs that differ by shift after clipping, at
// the epsilon that Alpha pays for and at every larger one: the chance
// 1 - prod_j (1 - q(|s_j|)) of an output that the other input never gives.
func (t truncated) Delta(shift []float64) float64 {
	kept := 0.0
	for _, s := range shift {
		kept += math.Log1p(-t.outside(math.Abs(s)))
	}
	return -math.Expm1(kept)
}

// worstDelta returns the largest delta over the shifts of length 2 Clip that are
// spread evenly over k components, k = 1 ... Dim, and that k: a lower bound on
// the true delta (equal spread over all is the worst of all at root 1/4).
func (t truncated) worstDelta() (delta float64, components int) {
	for k := 1; k <= t.Dim; k++ {
		q := t.outside(2 * t.Clip / math.Sqrt(float64(k)))
		if d := -math.Expm1(float64(k) * math.Log1p(-q)); d > delta {
			delta, components = d, k
		}
	}
	return delta, components
}

// worstWords returns the pair of words whose clipped vectors give the largest delta
// of the noisy vector, among the first limit words of a table.
func (t truncated) worstWords(table *embedding.Table, limit int) (delta float64, a, b embedding.ID) {
	n := min(limit, table.Len())
	clipped := make([][]float64, n)
	for i := range clipped {
		clipped[i] = clip(widen(table.Vector(nil, embedding.ID(i))), t.Clip)
	}
	shift := make([]float64, table.Dim())
	for i := range n {
		for j := range i {
			for k := range shift {
				shift[k] = clipped[i][k] - clipped[j][k]
			}
			if d := t.Delta(shift); d > delta {
				delta, a, b = d, embedding.ID(j), embedding.ID(i)
			}
		}
	}
	return delta, a, b
}

// clip scales v to l2 norm c if it is longer.
func clip(v []float64, c float64) []float64 {
	norm := 0.0
	for _, x := range v {
		norm += float64(x * x)
	}
	if norm = math.Sqrt(norm); norm > c {
		for k := range v {
			v[k] *= c / norm
		}
	}
	return v
}

// revealingTable returns a public table of Dim + 3 words over which the nearest word
// to the noisy vector gives the noisy vector's delta: "up" and "down" far out along
// (1, ..., 1), "zero", and one word per axis, which "up" reaches exactly when its
// noise leaves the support of "down".
func (t truncated) revealingTable() (*embedding.Table, error) {
	far := float32(64 * t.Bound * math.Sqrt(float64(t.Dim)))
	axis := float32(2 * (t.Bound - t.Clip/math.Sqrt(float64(t.Dim))))
	s := embedding.Source{Name: "revealing", Words: []string{"up", "down", "zero"}, Dim: t.Dim, Vectors: make([]float32, (t.Dim+3)*t.Dim), Unknown: "zero"}
	for k := range t.Dim {
		s.Vectors[k], s.Vectors[t.Dim+k] = far, -far
		s.Words = append(s.Words, fmt.Sprintf("axis%d", k+1))
		s.Vectors[(3+k)*t.Dim+k] = axis
	}
	return embedding.New(s)
}

func widen(v []float32) []float64 {
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = float64(x)
	}
	return w
}
