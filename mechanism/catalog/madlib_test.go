package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// lineRow returns the exact row of word x of a line of n words under symmetric noise
// with the given distribution function, in units of 2^-62.
func lineRow(n, x int, cdf func(float64) float64) []uint64 {
	row := make([]uint64, n)
	for y := range n {
		low, high := 0.0, 1.0
		if y > 0 {
			low = cdf(float64(y-x) - 0.5)
		}
		if y < n-1 {
			high = cdf(float64(y-x) + 0.5)
		}
		row[y] = uint64(math.Ldexp(high-low, 62))
	}
	return row
}

// In one dimension madlib's noise is Laplace, so the row is known. A mutant
// with noise of one sign, and one that gives a batch one noise vector, fail.
func TestMadlibDrawsFromItsExactRowOnALine(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Line(t, 9)
	const epsilon, x, draws = 0.8, 3, 200_000
	row := lineRow(9, x, func(u float64) float64 {
		if u < 0 {
			return math.Exp(epsilon*u) / 2
		}
		return 1 - math.Exp(-epsilon*u)/2
	})
	right := oracle.MustOpen(t, madlibEntry, table, epsilon, nil).(*additive.Words)
	oneSign := oracle.MustOpen(t, madlibEntry, table, epsilon, nil).(*additive.Words)
	shared := oracle.MustOpen(t, madlibEntry, table, epsilon, nil).(*additive.Words)
	oneSign.Fill = func(dst []float32, src rand.Source) {
		right.Fill(dst, src)
		for i := range dst {
			dst[i] = max(dst[i], -dst[i])
		}
	}
	shared.Fill = func(dst []float32, src rand.Source) {
		right.Fill(dst[:1], src)
		for i := range dst {
			dst[i] = dst[0]
		}
	}
	for name, c := range map[string]struct {
		m    *additive.Words
		pass bool
	}{"right": {right, true}, "one sign": {oneSign, false}, "shared noise": {shared, false}} {
		rng := noise.Seeded(testseed.Of(t, 7), 0)
		counts := oracle.DrawCounts(t, 9, draws, x, func(dst, src []embedding.ID) []embedding.ID {
			dst, err := c.m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		if pass := oracle.ChiSquare(counts, row, draws) > oracle.FalseFailure; pass != c.pass {
			t.Errorf("%s: draws fit the row: %v, want %v", name, pass, c.pass)
		}
	}
}

func TestNoisyWordsSplitTheirInputIntoBatchesWithoutATrace(t *testing.T) {
	table := oracle.RandomTable(t, 60, 4)
	m := oracle.MustOpen(t, madlibEntry, table, 1e5, nil) // noise too small to move a word
	src := make([]embedding.ID, 3*additive.WordBatch+17)
	for i := range src {
		src[i] = embedding.ID(i % 49) // words 50, 51 share a vector
	}
	got, err := m.Replace([]embedding.ID{7}, src, nil)
	if err != nil || got[0] != 7 || !slices.Equal(got[1:], src) {
		t.Errorf("tiny noise must return every word in place, after what dst held (%v)", err)
	}
}
