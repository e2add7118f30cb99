package catalog

import (
	"errors"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

func TestLambertSolvesItsEquation(t *testing.T) {
	for z := 2.0; z < 1e300; z *= 7.3 {
		if w := lambert(math.Log(z)); math.Abs(w+math.Log(w)-math.Log(z)) > 1e-12*(1+math.Log(z)) {
			t.Errorf("W(%g) = %.15g", z, w)
		}
	}
}

// Over 9 words at least 1 and at most 8 apart: alpha = (15 - 2 (1 + ln 9))/3 = 2.8685,
// ln alpha = 1.0538, W(16 alpha) = 2.8003, scale = 16/1.0538 (computed apart from this code).
func TestTruncatedGumbelHasThePublishedScale(t *testing.T) {
	table := oracle.Line(t, 9)
	m := oracle.MustOpen(t, truncatedGumbelEntry, table, 15, nil)
	for name, want := range map[string]float64{"least-distance": 1, "largest-distance": 8, "mean": 2.1972245773, "scale": 15.1832} {
		if got := setting(t, m, name); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("%s is %.6g, want %.6g", name, got, want)
		}
	}
	// Where Lambert's term is the smaller one.
	m = oracle.MustOpen(t, truncatedGumbelEntry, table, 1e9, nil)
	alpha := (1e9 - 2*(1+math.Log(9))) / 3
	if got, want := setting(t, m, "scale"), 16/math.Min(math.Log(alpha), lambert(math.Log(16*alpha))); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("scale is %.6g, want %.6g", got, want)
	}
	if lambert(math.Log(16*alpha)) >= math.Log(alpha) {
		t.Error("the second case tests nothing")
	}
	limit, err := truncatedGumbelEntry.Above(t.Context(), table)
	if err != nil || math.Abs(limit-(5+2*math.Log(9))) > 1e-12 {
		t.Errorf("the limit is %g (%v)", limit, err)
	}
	var bad *privacy.ParameterError
	if _, err := truncatedGumbelEntry.New(t.Context(), table, mechanism.Spec{Epsilon: limit}); !errors.As(err, &bad) || bad.Name != "epsilon" {
		t.Errorf("the limit itself is taken: %v", err)
	}
	for _, words := range []int{1, 3} {
		same := embedding.Source{Dim: 1, Vectors: make([]float32, words)}
		for i := range words {
			same.Words = append(same.Words, string(rune('a'+i)))
		}
		if _, err := truncatedGumbelEntry.New(t.Context(), oracle.MustTable(t, same), mechanism.Spec{Epsilon: 15}); !errors.As(err, &bad) {
			t.Errorf("%d equal words: %v", words, err)
		}
	}
}

// gumbelRow integrates the exact row of the published mechanism for a word of a table, in
// floating point: sum over k of P(K = k) times the chance that an output has the least
// noisy distance of the k nearest words.
func gumbelRow(table *embedding.Table, x embedding.ID, scale, most float64) []float64 {
	n := table.Len()
	mean := math.Log(float64(n))
	squares := make([]float64, n)
	table.SquaredDistances(squares, []embedding.ID{x}, 0, n)
	near := nearestWords(nil, squares, n)
	total, term := 0.0, 1.0
	chance := make([]float64, n+1)
	for k := 1; k <= n; k++ {
		term *= mean / float64(k)
		chance[k], total = term, total+term
	}
	f := func(g float64) float64 { return math.Exp(-math.Exp(-g / scale)) }
	low, high := f(-most), f(most)
	cdf := func(g float64) float64 { return (f(max(-most, min(most, g))) - low) / (high - low) }
	row := make([]float64, n)
	const parts = 20000
	for k := 1; k <= n; k++ {
		for _, y := range near[:k] {
			dy := table.Step() * math.Sqrt(y.square)
			sum := 0.0
			for part := range parts {
				at := -most + 2*most*(float64(part)+0.5)/parts
				mass := cdf(at+most/parts) - cdf(at-most/parts)
				for _, z := range near[:k] {
					if z.id != y.id {
						mass *= 1 - cdf(dy+at-table.Step()*math.Sqrt(z.square))
					}
				}
				sum += mass
			}
			row[y.id] += chance[k] / total * sum
		}
	}
	return row
}

// The draws of two inputs, one with ties of distance, fit the integrated row; Pearson's
// test fails falsely with chance 1e-7 for each (oracle.FalseFailure). Rows with noise of
// the other sign, or without K, do not fit.
func TestTruncatedGumbelDrawsFromItsRowOnALine(t *testing.T) {
	stage.Unraced(t)
	table := oracle.Line(t, 9)
	const draws = 400_000
	m := oracle.MustOpen(t, truncatedGumbelEntry, table, 400, nil)
	scale := setting(t, m, "scale")
	for _, x := range []embedding.ID{0, 3} {
		rng := noise.Seeded(testseed.Of(t, 61), uint64(x))
		counts := oracle.DrawCounts(t, 9, draws, x, func(dst, src []embedding.ID) []embedding.ID {
			dst, err := m.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		fits := func(row []float64) bool {
			weights := make([]uint64, len(row))
			for y, p := range row {
				weights[y] = uint64(math.Ldexp(p, 60))
			}
			return oracle.ChiSquare(counts, weights, draws) > oracle.FalseFailure
		}
		row := gumbelRow(table, x, scale, 8)
		if !fits(row) {
			t.Errorf("word %d: draws %v, row %v", x, counts, row)
		}
		if stays := math.Log(9) / 8; row[x] < stays*(1-1e-3) { // P(K = 1), the truncation above left out
			t.Errorf("word %d stays with %g, less than K = 1 alone gives", x, row[x])
		}
		if fits(gumbelRow(table, x, -scale, 8)) {
			t.Errorf("word %d: noise of the other sign fits", x)
		}
		if fits(gumbelRow(table, x, scale*1.1, 8)) {
			t.Errorf("word %d: noise a tenth too wide fits", x)
		}
	}
}

// Of equal distances the word of the lower index is nearer.
func TestNearestWordsAreInOrder(t *testing.T) {
	got := nearestWords(nil, []float64{4, 1, 4, 0, 1, 9, 4}, 5)
	for i, want := range []embedding.ID{3, 1, 4, 0, 2} {
		if got[i].id != want {
			t.Fatalf("the nearest words are %v", got)
		}
	}
}

// K follows its truncated distribution for a mean where both ends are cut.
func TestTruncatedPoissonFollowsItsDistribution(t *testing.T) {
	const mean, most, draws = 1.7, 4, 200_000
	counts, weights := make([]int, most+1), make([]uint64, most+1)
	rng := noise.Seeded(testseed.Of(t, 62), 0)
	for range draws {
		counts[truncatedPoisson(mean, most, rng)]++
	}
	term := 0x1p50
	for k := 1; k <= most; k++ {
		term *= mean / float64(k)
		weights[k] = uint64(term)
	}
	if oracle.ChiSquare(counts, weights, draws) < oracle.FalseFailure {
		t.Errorf("%v are drawn", counts)
	}
}

// What the note and the error say of the embedded table.
func TestTruncatedGumbelOverTheEmbeddedTable(t *testing.T) {
	stage.Needs(t, stage.Figures) // computes the figures of the note again
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	least, most, err := extremeDistances(t.Context(), table)
	if err != nil || math.Abs(least-0.6076) > 1e-4 || math.Abs(most-15.106) > 1e-3 {
		t.Errorf("distances are %g to %g (%v)", least, most, err)
	}
	limit, err := gumbelLimit(t.Context(), table)
	if err != nil || math.Abs(limit-40.83) > 0.005 {
		t.Errorf("the limit is %g (%v)", limit, err)
	}
}
