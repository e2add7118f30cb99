package restore_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
)

// The mean over lattices of the weight of each word, and of all, is that of the exact
// posterior, however few nodes are kept. All draws have a fixed seed, so the test gives
// one result; the bound of 6 standard errors would fail one seed in 10^8 per figure if
// means were normal.
func TestUnbiasedLatticesHaveTheRightMeans(t *testing.T) {
	stage.Unraced(t)
	const words, reads = 50, 2000
	table := small(t, words)
	src := source{words, rand.New(rand.NewPCG(5, 6))}
	for _, order := range []int{2, 3} {
		m := trained(t, table, src.texts(60, 8), order)
		for _, k := range []int{4, 35} { // some words of long sets are in their tails
			c := opened(t, table, "neighbours", 2, mechanism.Values{"neighbours": fmt.Sprint(k)})
			y, err := c.Replace(nil, src.text(3), noise.Seeded(9, 1))
			if err != nil {
				t.Fatal(err)
			}
			want := enumerated(m, c, words, y)
			channel := columns(t, c, words, y)
			for _, beam := range []int{2, 8} {
				d, err := restore.NewDecoder(m, channel, restore.Options{Beam: beam, Unbiased: true})
				if err != nil {
					t.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(uint64(beam), uint64(k)))
				var total moments
				each := make([][words]moments, len(y))
				for range reads {
					l, err := d.Read(y, rng)
					if err != nil {
						t.Fatal(err)
					}
					weight := math.Exp(l.LogLikelihood() - want.log)
					total.add(weight)
					for at, guesses := range l.Marginals() {
						var of [words]float64
						for _, g := range guesses {
							of[g.Word] = g.Chance * weight
						}
						for w := range words {
							each[at][w].add(of[w])
						}
					}
				}
				name := fmt.Sprintf("order %d, sets of %d, beam %d", order, k, beam)
				if z := total.z(1); math.Abs(z) > 6 {
					t.Errorf("%s: the mean likelihood is %g of the true one, %.1f standard errors off", name, total.mean(), z)
				}
				for at := range each {
					for w := range words {
						p := want.marginals[at][w]
						if z := each[at][w].z(p); p > 0.01 && math.Abs(z) > 6 {
							t.Errorf("%s: word %d at %d has the mean weight %g, want %g, %.1f standard errors off", name, w, at, each[at][w].mean(), p, z)
						}
					}
				}
			}
		}
	}
}

// moments are those of a sample.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m *moments) mean() float64 { return m.sum / m.n }

// z returns how many standard errors the mean is off.
func (m *moments) z(want float64) float64 {
	mean := m.mean()
	return (mean - want) / math.Sqrt(max(m.squares/m.n-mean*mean, 1e-30)/m.n)
}

// releases draws texts of 20 words from a model, and what a channel makes of each, from a
// stream under a seed of its own.
func releases(t *testing.T, m *language.Model, c mechanism.Mechanism, n int, stream uint64, rng *rand.Rand) (texts, outputs [][]embedding.ID) {
	t.Helper()
	for i := range n {
		x := spoken(m, 20, rng)
		y, err := c.Replace(nil, x, noise.Seeded(uint64(i), stream))
		if err != nil {
			t.Fatal(err)
		}
		texts, outputs = append(texts, x), append(outputs, y)
	}
	return texts, outputs
}

// spoken draws a text from a model, of a fixed length.
func spoken(m *language.Model, n int, rng *rand.Rand) []embedding.ID {
	ids, s := make([]embedding.ID, n), m.Start()
	for i := range ids {
		u := rng.Float64() * (1 - math.Exp(m.End(s)))
		var next language.State
		for w := range m.Vocabulary().Len() {
			p, after := m.Next(s, embedding.ID(w))
			ids[i], next = embedding.ID(w), after
			if u -= math.Exp(p); u < 0 {
				break
			}
		}
		s = next
	}
	return ids
}

// calibration compares what a decoder states with what is right.
type calibration struct{ stated, right, n float64 }

// A reader who knows the source exactly is right as often as the exact posterior says.
// Lattices of few nodes come close to it only if they are unbiased.
func TestUnbiasedConfidencesAreCalibrated(t *testing.T) {
	stage.Unraced(t)
	const words = 300
	table := small(t, words)
	rng := rand.New(rand.NewPCG(7, 8))
	m := trained(t, table, source{words, rng}.texts(400, 12), 3)
	c := opened(t, table, "neighbours", 4, mechanism.Values{"neighbours": "20"})
	texts, outputs := releases(t, m, c, 250, 2, rng)
	channel := columns(t, c, words, outputs...)
	sure := map[bool]calibration{}
	for _, unbiased := range []bool{false, true} {
		d, err := restore.NewDecoder(m, channel, restore.Options{Beam: 100, Unbiased: unbiased})
		if err != nil {
			t.Fatal(err)
		}
		var s calibration
		for i, y := range outputs {
			l, err := d.Read(y, rng)
			if err != nil {
				t.Fatal(err)
			}
			for at, guesses := range l.Marginals() {
				if g := guesses[0]; g.Chance >= 0.8 {
					s.stated += g.Chance
					s.n++
					if g.Word == texts[i][at] {
						s.right++
					}
				}
			}
		}
		sure[unbiased] = s
		t.Logf("unbiased %t: stated %.3f, right %.3f of %g", unbiased, s.stated/s.n, s.right/s.n, s.n)
	}
	gap := func(s calibration) float64 { return (s.stated - s.right) / s.n }
	if s := sure[true]; s.n < 200 || gap(s) > 0.05 {
		t.Errorf("unbiased: %g words of stated chance 0.8 or more, stated %.3f and right %.3f", s.n, s.stated/s.n, s.right/s.n)
	}
	if s := sure[false]; gap(s) < 0.1 {
		t.Errorf("the heaviest nodes alone are not over-confident here (stated %.3f, right %.3f): the test shows nothing", s.stated/s.n, s.right/s.n)
	}
}
