package estimate

import (
	"context"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
)

// truth returns the histogram of the tests: a long tail, with words that are absent.
func truth(n int) []int {
	f := make([]int, n)
	for x := range f {
		if x%4 != 3 {
			f[x] = 60 + 2400/(x+1)
		}
	}
	return f
}

// trial is everything known about one word of one setting: the estimates from many
// private copies of one text, and what they should be.
type trial struct {
	true_     float64
	deviation float64 // of an estimate, from the channel's own probabilities
	copies    []moments
}

const (
	copies = 1500
	ringOf = 29
)

var drawn = map[setting][]trial{}

// trials draws private copies of one text and applies the functional of each word,
// once for all tests.
func trials(t *testing.T, s setting) []trial {
	t.Helper()
	stage.Unraced(t) // releases and estimates of one goroutine
	if all, ok := drawn[s]; ok {
		return all
	}
	table, f := ring(t, ringOf), truth(ringOf)
	c := s.open(t, table)
	e := estimator(t, c, table, mostKept)
	parts := draws(t, c, f, copies, testseed.Of(t, 11))
	p := matrix(c, ringOf)
	w := widths{tokens: float64(total(f)), z: z95}
	var all []trial
	for from := 0; from < ringOf; from += 8 {
		functionals, err := e.solveWords(context.Background(), everyWord(ringOf)[from:min(from+8, ringOf)], w, false)
		if err != nil {
			t.Fatal(err)
		}
		for j, x := range functionals.words {
			tr := trial{true_: float64(f[x])}
			variance := 0.0
			for in, n := range f {
				mean, square := 0.0, 0.0
				for y := range f {
					g := functionals.g[y][j]
					mean += p.At(in, y) * g
					square += p.At(in, y) * g * g
				}
				variance += float64(n) * (square - mean*mean)
			}
			tr.deviation = math.Sqrt(variance)
			for _, counts := range parts {
				tr.copies = append(tr.copies, functionals.moments(j, counts))
			}
			all = append(all, tr)
		}
	}
	drawn[s] = all
	return all
}

const z95 = 1.959963984540054

// unbiasedAt reports whether the mean over the copies is the true count: a mean of
// copies is within 6 deviations of its own but with chance 2e-9 (it is a sum of 1,500
// copies of thousands of bounded terms each, normal far into the tails), over 4
// settings of 29 words 2.3e-7. A bias of 1 deviation of one estimate is 39 of the
// mean. The solver may leave over 2 % of a half-width in the worst text; a quarter of
// that is allowed for in this one.
func unbiasedAt(tr trial, value func(moments) float64) bool {
	mean := 0.0
	for _, m := range tr.copies {
		mean += value(m) / copies
	}
	return math.Abs(mean-tr.true_) <= 6*tr.deviation/math.Sqrt(copies)+0.005*z95*tr.deviation
}

func TestEstimatesAreUnbiased(t *testing.T) {
	for _, s := range separable {
		for x, tr := range trials(t, s) {
			if !unbiasedAt(tr, func(m moments) float64 { return m.value }) {
				t.Errorf("%v, word %d: the mean of the estimates is not the true count %g", s, x, tr.true_)
			}
		}
	}
}

// The same test catches the commonest word's estimate shrunk by a twentieth, and the
// estimates of absent words raised to 0 where they are below.
func TestMutantEstimatesAreFoundBiased(t *testing.T) {
	clipped, shrunk := 0, 0
	for _, s := range separable {
		for x, tr := range trials(t, s) {
			if x == 0 && !unbiasedAt(tr, func(m moments) float64 { return m.value * 0.95 }) {
				shrunk++
			}
			if tr.true_ == 0 && !unbiasedAt(tr, func(m moments) float64 { return max(0, m.value) }) {
				clipped++
			}
		}
	}
	if shrunk != len(separable) || clipped != 7*len(separable) {
		t.Errorf("found %d of %d shrunk estimates and %d of %d clipped ones", shrunk, len(separable), clipped, 7*len(separable))
	}
}

// coversAt reports whether intervals cover at their rate, 95 %. With 1,500 copies the
// share of covered ones has a deviation of at most 0.0057 at 0.95. The rate itself is
// above its nominal value by the draw of weight that is added, the more the fewer
// tokens change. Accepted are shares from 0.916 (0.95 - 6 deviations) to what
// a normal estimate has within the mean reaches + 0.005 + 6 deviations. Six
// deviations are exceeded with chance 2e-9, over 4 settings of 29 words 2.3e-7.
func coversAt(tr trial, interval func(moments) (low, high float64)) bool {
	covered, below, above := 0, 0.0, 0.0
	for _, m := range tr.copies {
		low, high := interval(m)
		below += reach(z95, tr.deviation, m.down, m.up) / copies
		above += reach(z95, tr.deviation, m.up, m.down) / copies
		if low <= tr.true_ && tr.true_ <= high {
			covered++
		}
	}
	share := float64(covered) / copies
	top := (math.Erf(below/tr.deviation/math.Sqrt2) + math.Erf(above/tr.deviation/math.Sqrt2)) / 2
	return share >= 0.916 && share <= top+0.005+6*math.Sqrt(top*(1-top)/copies)
}

func ownInterval(m moments) (low, high float64) {
	c := m.count(0, z95, false)
	return c.Low, c.High
}

func TestIntervalsCoverAtTheirRate(t *testing.T) {
	for _, s := range separable {
		for x, tr := range trials(t, s) {
			if !coversAt(tr, ownInterval) {
				t.Errorf("%v, word %d: intervals do not cover at their rate", s, x)
			}
		}
	}
}

// The same test catches intervals from half the variance, and from the variance
// without its correction where that is a large part of it.
func TestMutantIntervalsAreFoundWrong(t *testing.T) {
	for _, s := range separable {
		halved, uncorrected, words := 0, 0, 0
		for _, tr := range trials(t, s) {
			words++
			mutant := func(variance func(m moments) float64) bool {
				return !coversAt(tr, func(m moments) (low, high float64) {
					deviation := math.Sqrt(max(0, variance(m)))
					return m.value - reach(z95, deviation, m.down, m.up), m.value + reach(z95, deviation, m.up, m.down)
				})
			}
			if mutant(func(m moments) float64 { return (m.square - m.value) / 2 }) {
				halved++
			}
			if tr.true_ > tr.deviation*tr.deviation && mutant(func(m moments) float64 { return m.square }) {
				uncorrected++
			}
		}
		t.Logf("%v: halved variance found for %d of %d words, uncorrected for %d", s, halved, words, uncorrected)
		if halved < words/2 {
			t.Errorf("%v: halved variance found for %d of %d words only", s, halved, words)
		}
		if s.mechanism == "tem" && uncorrected == 0 {
			t.Errorf("%v: the missing correction was not found", s)
		}
	}
}
