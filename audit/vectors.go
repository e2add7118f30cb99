package audit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// SampleVectors tries to refute the claim of a mechanism for vectors, as [Run] does for
// words. Events are half-spaces, comparisons of l1 and l2 distances to the two inputs, and
// boxes around an input: the farthest component detects outputs beyond a noise of bounded
// support.
func SampleVectors(ctx context.Context, entry mechanism.Entry, p mechanism.Perturber, table *embedding.Table, trial Trial) (*Finding, error) {
	f := newFinding(entry, p, table, Sampling)
	target := f.Target()
	if f.otherDistance(target) {
		return f, nil
	}
	in, out := p.Dimensions()
	pairs := trial.VectorPairs
	if pairs == nil {
		pairs = chooseVectors(entry, p, table, in)
	}
	var releases []release[[]float32]
	for _, v := range pairs {
		if len(v.Input) != in || len(v.Neighbour) != in {
			return nil, fmt.Errorf("audit: vectors of %d and %d components for %d dimensions", len(v.Input), len(v.Neighbour), in)
		}
		releases = append(releases, vectorRelease(p, v, out))
	}
	if len(releases) == 0 {
		return nil, fmt.Errorf("audit: no two vectors to compare")
	}
	witness, err := vectorsDependent(p, pairs[0].Input, pairs[0].InputName, trial.alarm()*vectorsShare)
	if err != nil {
		return nil, err
	}
	if witness != nil {
		f.Verdict, f.Witness, f.Draws, f.Confidence, f.Why = Refuted, witness, 4*repeatedVectors, 1-trial.alarm(), whyDependent
		return f, nil
	}
	return f, refute(ctx, f, target, releases, trial, vectorsShare)
}

func vectorRelease(p mechanism.Perturber, v VectorPair, out int) release[[]float32] {
	d := 0.0
	for k, a := range v.Input {
		e := float64(a) - float64(v.Neighbour[k])
		d += float64(e * e)
	}
	return release[[]float32]{
		input: v.InputName, neighbour: v.NeighbourName, distance: math.Sqrt(d), differing: 1,
		draw: func(dst [][]float32, neighbour bool, n int, rng rand.Source) ([][]float32, error) {
			src := v.Input
			if neighbour {
				src = v.Neighbour
			}
			block := make([]float32, n*out)
			for i := range n {
				y := block[i*out : (i+1)*out]
				if err := p.Perturb(y, src, rng); err != nil {
					return nil, err
				}
				dst = append(dst, y)
			}
			return dst, nil
		},
		scores: func(input, neighbour [][]float32) []score[[]float32] {
			list := scoresAround("mean output", mean(input, out), mean(neighbour, out))
			if len(v.Input) == out {
				list = append(list, scoresAround("vector", widen(v.Input), widen(v.Neighbour))...)
			}
			return list
		},
	}
}

func mean(ys [][]float32, dim int) []float64 {
	m := make([]float64, dim)
	for _, y := range ys {
		for k, v := range y {
			m[k] += float64(v)
		}
	}
	for k := range m {
		m[k] /= float64(len(ys))
	}
	return m
}

// scoresAround returns scores that compare an output with two centres: the
// likelihood ratios of Gaussian, Laplace and spherical exponential noise, and
// the farthest component from either centre, with and without its sign.
func scoresAround(what string, x, z []float64) []score[[]float32] {
	sum := func(f func(y, x, z float64) float64) func([]float32) float64 {
		return func(y []float32) float64 {
			s := 0.0
			for k, v := range y {
				s += float64(f(float64(v), x[k], z[k])) // not fused: the same on every machine
			}
			return s
		}
	}
	farthest := func(c []float64, f func(e float64) float64) func([]float32) float64 {
		return func(y []float32) float64 {
			s := math.Inf(-1)
			for k, v := range y {
				s = max(s, f(float64(v)-c[k]))
			}
			return s
		}
	}
	norm := func(c []float64) func([]float32) float64 {
		return func(y []float32) float64 {
			s := 0.0
			for k, v := range y {
				e := float64(v) - c[k]
				s += float64(e * e)
			}
			return math.Sqrt(s)
		}
	}
	toX, toZ := norm(x), norm(z)
	list := []score[[]float32]{
		{sum(func(y, x, z float64) float64 { return y * (x - z) }), says("a vector whose projection on the difference of the inputs is")},
		{sum(func(y, x, z float64) float64 { return math.Abs(y-z) - math.Abs(y-x) }), says("a vector nearer in l1 to the one than to the other by")},
		{func(y []float32) float64 { return toZ(y) - toX(y) }, says("a vector nearer to the one than to the other by")},
	}
	// In a fixed order: of equal scores the first is tested.
	for _, centre := range []struct {
		name string
		at   []float64
	}{{"input's ", x}, {"neighbour's ", z}} {
		list = append(list,
			score[[]float32]{farthest(centre.at, math.Abs), says("a vector whose farthest component from the " + centre.name + what + " is")},
			score[[]float32]{farthest(centre.at, func(e float64) float64 { return e }), says("a vector whose highest component over the " + centre.name + what + " is")},
			score[[]float32]{farthest(centre.at, func(e float64) float64 { return -e }), says("a vector whose lowest component under the " + centre.name + what + " is")})
	}
	return list
}

func says(what string) func(cut) string {
	return func(c cut) string {
		if c.above {
			return fmt.Sprintf("%s %.6g or more", what, c.threshold)
		}
		return fmt.Sprintf("%s below %.6g", what, c.threshold)
	}
}

// chooseVectors returns vectors of word pairs and, if there is a clip, the ends
// of its ball along the diagonal and along an axis.
func chooseVectors(entry mechanism.Entry, p mechanism.Perturber, table *embedding.Table, dim int) []VectorPair {
	var pairs []VectorPair
	if table.Dim() == dim {
		for _, w := range choosePairs(table) {
			pairs = append(pairs, VectorPair{table.Vector(nil, w[0]), table.Vector(nil, w[1]),
				"the vector of '" + table.Word(w[0]) + "'", "the vector of '" + table.Word(w[1]) + "'"})
		}
	}
	if clip, ok := inForce(entry, p, mechanism.RoleClip); ok {
		pairs = append(pairs, Opposite(dim, clip), oppositeAxis(dim, clip))
	}
	return pairs
}

// Opposite returns the pair at the two ends of a ball of radius clip along (1, ..., 1).
func Opposite(dim int, clip float64) VectorPair {
	// Slightly inside, so that clipping does not change them.
	c := float32(clip / math.Sqrt(float64(dim)) * (1 - 1e-6))
	v := VectorPair{InputName: fmt.Sprintf("the vector %.4g (1, ..., 1)", c), NeighbourName: fmt.Sprintf("the vector %.4g (1, ..., 1)", -c)}
	for range dim {
		v.Input, v.Neighbour = append(v.Input, c), append(v.Neighbour, -c)
	}
	return v
}

func oppositeAxis(dim int, clip float64) VectorPair {
	c := float32(clip * (1 - 1e-6))
	v := VectorPair{Input: make([]float32, dim), Neighbour: make([]float32, dim),
		InputName: fmt.Sprintf("the vector %.4g (1, 0, ..., 0)", c), NeighbourName: fmt.Sprintf("the vector %.4g (1, 0, ..., 0)", -c)}
	v.Input[0], v.Neighbour[0] = c, -c
	return v
}
