package channel

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
)

// clusteredChannel returns a random exponential or tem channel over words in clusters,
// some of them at the same place, so that pairs are at distances of every size.
func clusteredChannel(t *testing.T, rng *rand.Rand) *Distance {
	n, dim := 100+rng.IntN(200), 1+rng.IntN(12)
	centers := make([]float64, 8*dim)
	for i := range centers {
		centers[i] = 3 * rng.NormFloat64()
	}
	words, grid, vectors := make([]string, n), make([]int8, n*dim), make([]float32, n*dim)
	for i := range words {
		words[i] = "w" + strconv.Itoa(i)
		cluster, spread := min(rng.IntN(8), rng.IntN(8)), math.Exp(3*rng.Float64()-3)
		for k := range dim {
			v := centers[cluster*dim+k] + spread*rng.NormFloat64()
			grid[i*dim+k], vectors[i*dim+k] = int8(max(-128, min(127, math.Round(v*12)))), float32(v)
		}
		if i > 0 && rng.IntN(20) == 0 {
			copy(grid[i*dim:(i+1)*dim], grid[(i-1)*dim:])
			copy(vectors[i*dim:(i+1)*dim], vectors[(i-1)*dim:])
		}
	}
	table, err := embedding.New(embedding.Source{Words: words, Dim: dim, Vectors: vectors})
	if rng.IntN(2) == 0 {
		table, err = embedding.NewNarrow(embedding.Narrow{Name: "clusters", Words: words, Dim: dim, Step: 1.0 / 16, Grid: grid})
	}
	if err != nil {
		t.Fatal(err)
	}
	entry := []mechanism.Entry{exponentialEntry, temEntry}[rng.IntN(2)]
	m, err := entry.New(t.Context(), table, mechanism.Spec{Epsilon: math.Exp(4*rng.Float64() - 2), Published: true})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Distance)
}

// otherwise counts the channels whose worst pairs differ from those of a plain
// loop over all pairs, with bounds of the given margin.
func otherwise(t *testing.T, channels int, margin float64) (differ int) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range channels {
		c := clusteredChannel(t, rng)
		_, worst := plainLosses(c)
		r := c.certification(mechanism.Keep{}, nil)
		r.rough, r.share, r.margin = true, 1, margin
		r.rows, r.columns = 1+rng.IntN(40), 1+rng.IntN(40)
		if _, err := r.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if r.worst != worst {
			differ++
		}
	}
	return differ
}

// No pair that a bound rules out is the worst: the worst pairs are the same to the
// last bit. Bounds that are too tight by a hundredth fail, so the test has power.
func TestPairsPassedOverAreNotTheWorst(t *testing.T) {
	stage.Unraced(t)
	if n := otherwise(t, 60, 1+1e-9); n != 0 {
		t.Errorf("of 60 channels %d have other worst pairs", n)
	}
	if n := otherwise(t, 60, 1/1.01); n == 0 {
		t.Error("with bounds that are too tight all channels have the same worst pairs")
	}
}

// Most pairs of a language-like table are ruled out; otherwise the bounds would
// be useless.
func TestMostPairsArePassedOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for looked := 0; looked < 3; {
		c := clusteredChannel(t, rng)
		r := c.certification(mechanism.Keep{}, nil)
		if _, err := r.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		n := len(r.sums)
		if !c.law.Tabulated() { // coarse distances pass over a little less
			continue
		}
		looked++
		all := tile{xs: make([]embedding.ID, n), high: n, unit: 1, margin: r.margin, squares: make([]uint32, n*n)}
		for x := range all.xs {
			all.xs[x] = embedding.ID(x)
		}
		grid.SquaredDistances32(c.metric.Table.Grid(), all.squares, all.xs, 0, n)
		var s Scratch
		r.sift(&s, &r.worst, &all, n*n)
		if left := s.left; len(left) == 0 || len(left) > n*n/20 {
			t.Errorf("of %d pairs %d are left", n*(n-1)/2, len(left))
		}
	}
}
