// Package additive builds members that add noise to a vector: the clip, the
// noise, its sensitivity, and the nearest word or the grid on which the sum is
// released.
package additive

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Noise is a member that clips a vector and adds independent noise of one
// distribution to every component. For words the noisy vector is dropped; for
// vectors the noise is drawn in exact integers.
type Noise struct {
	Who      string
	Claim    privacy.Claim // the use sets its unit and assumptions
	Settings []mechanism.Setting
	Clip     Clip
	Scale    float64 // of the noise: Laplace's scale, the Gaussian's standard deviation
	gaussian float64 // the Gaussian's standard deviation over the l2 sensitivity; 0 for other noise
	// fill draws noise in float32, for words.
	fill func(dst []float32, src rand.Source)
	// Draw draws noise in units of scale/2^gridBits, for vectors.
	Draw func(src rand.Source) int64
}

// Use is the purpose of a member's noise: words or vectors.
type Use int

const (
	OnWords Use = iota
	OnVectors
)

// Of makes a member's noise for one use of a table's vectors.
type Of func(ctx context.Context, table *embedding.Table, spec mechanism.Spec, on Use) (Noise, error)

// Words returns the member as a mechanism for words: noise, then the nearest word.
func (f Of) Words(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	a, err := f(ctx, table, spec, OnWords)
	if err != nil {
		return nil, err
	}
	if err := CheckNoise(a.Who, spec.Epsilon, a.Scale, a.Clip.Radius); err != nil {
		return nil, err
	}
	a.Claim.Unit, a.Claim.Assumes = privacy.Token, Assumed
	return &Words{Table: table, Promise: a.Claim, InForce: a.Settings, Clip: a.Clip, Fill: a.fill, gaussian: a.gaussian}, nil
}

// Vectors returns the member as a mechanism for vectors of the table's dimensions.
func (f Of) Vectors(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Perturber, error) {
	a, err := f(ctx, table, spec, OnVectors)
	if err != nil {
		return nil, err
	}
	if a.Claim.Unit == "" {
		a.Claim.Unit = privacy.Vector
	}
	return a.release(table.Dim(), spec.Epsilon)
}

// release returns the member for vectors of dim components, on their grid.
func (a Noise) release(dim int, epsilon float64) (mechanism.Perturber, error) {
	a.Claim.Assumes = privacy.PublicData
	if !(a.Scale >= leastScale) || !(a.Clip.Radius <= a.Scale*mostSteps) {
		return nil, privacy.Bad(a.Who, "epsilon", epsilon, "smaller: the noise would be finer than the grid that vectors are released on")
	}
	if dim > MostComponents {
		return nil, privacy.Bad(a.Who, "dimensions", dim, fmt.Sprintf("at most %d", MostComponents))
	}
	return &noisyVectors{noise: a, dim: dim, step: math.Ldexp(a.Scale, -GridBits)}, nil
}

const (
	// GridBits: a released component is a multiple of scale/2^GridBits, so the
	// noise spans 2^GridBits steps.
	GridBits = 40

	// MostComponents keeps the rounding of a norm below clipSlack.
	MostComponents = 4096
)

// noisyVectors releases vectors on a grid. The private vector is clipped and
// rounded towards zero, which can only shorten it: the rounded vectors are in
// the same ball, so rounding adds nothing to the sensitivity. The noise is an
// exact integer. The released vector is a function of their integer sum.
type noisyVectors struct {
	noise Noise
	dim   int
	step  float64
}

func (m *noisyVectors) Claim() privacy.Claim          { return m.noise.Claim }
func (m *noisyVectors) Settings() []mechanism.Setting { return m.noise.Settings }
func (m *noisyVectors) Dimensions() (int, int)        { return m.dim, m.dim }

// Perturb writes a private version of src into dst.
func (m *noisyVectors) Perturb(dst, src []float32, rng rand.Source) error {
	src, err := CheckVectors(m.noise.Who, dst, src, m.dim, m.dim)
	if err != nil {
		return err
	}
	rng = noise.OrSecure(rng)
	sums := m.steps(make([]int64, 0, len(src)), src)
	for k := range sums {
		sums[k] += m.noise.Draw(rng)
	}
	for k, n := range sums {
		dst[k] = Finite32(float64(n) * m.step)
	}
	return nil
}

// steps appends the components of v, clipped and rounded towards zero, in steps of
// the grid: never longer than v and never outside the ball.
func (m *noisyVectors) steps(dst []int64, v []float32) []int64 {
	factor := m.noise.Clip.factor(v)
	for _, x := range v {
		dst = append(dst, int64(float64(x)*factor/m.step))
	}
	return dst
}

// CheckVectors refuses vectors of a wrong length, and returns the vector to draw
// for: src, or the zero vector if src has an infinity or NaN. An error for such
// a vector would reveal it without noise.
func CheckVectors(who string, dst, src []float32, in, out int) ([]float32, error) {
	if len(src) != in || len(dst) != out {
		return nil, fmt.Errorf("%s: vectors of %d and %d components, want %d and %d", who, len(src), len(dst), in, out)
	}
	for _, x := range src {
		if x != x || math.IsInf(float64(x), 0) {
			return make([]float32, in), nil
		}
	}
	return src, nil
}

// Finite32 rounds a number to float32, at most to the largest finite one.
func Finite32(v float64) float32 {
	return float32(min(max(v, -math.MaxFloat32), math.MaxFloat32))
}
