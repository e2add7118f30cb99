package mechanism

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/noise"
	"gonum.org/v1/gonum/stat/distuv"
)

// chiSquare compares counts of draws with the exact row. It joins outputs of
// expected count below 10 into one class and returns the p-value of Pearson's
// statistic (0 where an impossible output was drawn).
func chiSquare(counts []int, weights []uint64, draws int) float64 {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	statistic, classes := 0.0, 0
	restCount, restExpected := 0.0, 0.0
	for y, w := range weights {
		expected := float64(w) / total * float64(draws)
		if w == 0 && counts[y] > 0 {
			return 0
		}
		if expected < 10 {
			restCount, restExpected = restCount+float64(counts[y]), restExpected+expected
			continue
		}
		d := float64(counts[y]) - expected
		statistic, classes = statistic+d*d/expected, classes+1
	}
	if restExpected >= 10 {
		d := restCount - restExpected
		statistic, classes = statistic+d*d/restExpected, classes+1
	} else if restExpected < 1e-3 && restCount > 2 {
		return 0
	}
	return distuv.ChiSquared{K: float64(max(1, classes-1))}.Survival(statistic)
}

// drawCounts draws n replacements of one input by replace.
func drawCounts(t *testing.T, words, n int, x embedding.ID, replace func(dst, src []embedding.ID) []embedding.ID) []int {
	t.Helper()
	counts := make([]int, words)
	src := slices.Repeat([]embedding.ID{x}, 1000)
	var dst []embedding.ID
	for done := 0; done < n; done += len(src) {
		dst = replace(dst[:0], src)
		for _, y := range dst {
			counts[y]++
		}
	}
	return counts
}

// The members and settings whose draws are compared with their rows: rows with
// and without a head, tails that matter, lists and bitmaps, floors with lifts.
var sampled = []struct {
	name       string
	entry      Entry
	epsilon    float64
	parameters map[string]string
	words      int
}{
	{"tem flat", temEntry, 0.4, nil, 700},
	{"tem", temEntry, 2, nil, 700},
	{"exponential", exponentialEntry, 1, nil, 700},
	{"exponential peaked", exponentialEntry, 6, nil, 700},
	{"exponential by angle", exponentialEntry, 2, map[string]string{"metric": "angular"}, 700},
	{"response", responseEntry, 5, nil, 700},
	{"neighbours listed", neighboursEntry, 4, map[string]string{"neighbours": "20"}, 700},
	{"neighbours bitmap", neighboursEntry, 2, map[string]string{"neighbours": "200"}, 700},
	{"packing", packingEntry, 0.7, nil, 700},
	{"balanced", balancedEntry, 0.7, nil, 200},
}

// Each case is one Pearson test on 200,000 draws from a fixed seed. A correct
// sampler fails it for a fraction 1e-7 of seeds; with 2 inputs for each of 10
// members, drawn in 2 ways, a fresh seed would fail somewhere with chance below
// 4e-6.
const falseFailure = 1e-7

func TestDrawsFollowTheExactRow(t *testing.T) {
	for i, c := range sampled {
		t.Run(c.name, func(t *testing.T) {
			table := randomTable(t, c.words, 8)
			m, err := c.entry.New(t.Context(), table, Spec{Epsilon: c.epsilon, Parameters: c.parameters, Published: true})
			if err != nil {
				t.Fatal(err)
			}
			last := embedding.ID(c.words - 1)
			for _, prepared := range []bool{false, true} { // an alias row for the last word, a head and a tail for others
				if p, ok := m.(Preparer); ok && prepared {
					p.Prepare(t.Context(), append(slices.Repeat([]embedding.ID{last}, 100), 0))
				}
				for _, x := range []embedding.ID{0, last} {
					rng := noise.Seeded(uint64(i), uint64(x))
					const draws = 200000
					counts := drawCounts(t, table.Len(), draws, x, func(dst, src []embedding.ID) []embedding.ID {
						dst, err := m.Replace(dst, src, rng)
						if err != nil {
							t.Fatal(err)
						}
						return dst
					})
					if p := chiSquare(counts, m.(Channel).Weights(nil, x), draws); p < falseFailure {
						t.Errorf("input %d: draws do not follow the row, p = %g", x, p)
					}
				}
			}
		})
	}
}

// An alias row of weights whose products with the row's length wrap in 64 bits
// draws something else; such rows get none.
func TestAnAliasRowThatWrapsIsCaughtAndNotMade(t *testing.T) {
	weights := make([]uint64, 100)
	for i := range weights {
		weights[i] = uint64(i+1) << 49
	}
	weights[7] = 1 << 58 // times 100 wraps
	if newAliasRow(weights) != nil {
		t.Error("an alias row is made of weights that wrap")
	}
	total, fits := rowSum(weights)
	if !fits || total >= 1<<62 {
		t.Fatalf("the row sums to %d, which another check would refuse", total)
	}
	mutant := fillAliasRow(weights, total)
	rng := noise.Seeded(5, 5)
	const draws = 200000
	counts := drawCounts(t, 100, draws, 0, func(dst, src []embedding.ID) []embedding.ID {
		for range src {
			dst = append(dst, mutant.draw(rng))
		}
		return dst
	})
	if p := chiSquare(counts, weights, draws); p >= falseFailure {
		t.Errorf("the wrapped row passes, p = %g", p)
	}
	for _, w := range [][]uint64{{1 << 63, 1 << 63, 5}, {1 << 62, 1 << 62}, {0, 0}} {
		sum, fits := rowSum(w)
		if new(drawer).checkTotal(sum, fits) == nil {
			t.Errorf("a row of %d is drawn from", w)
		}
	}
}

// A sampler that draws the tail uniformly, one that draws from the row of the
// nearest other word a hundredth of the time, and one that keeps the input a
// hundredth of the time too often are all caught.
func TestMutantSamplersAreCaught(t *testing.T) {
	table := randomTable(t, 700, 8)
	m, err := newTEM(t.Context(), table, Spec{Epsilon: 2, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*distanceChannel)
	c.Prepare(t.Context(), []embedding.ID{0, 1})
	for name, mutant := range map[string]func(x embedding.ID, rng rand.Source) embedding.ID{
		"uniform tail": func(x embedding.ID, rng rand.Source) embedding.ID {
			r := c.rows.get(x)
			y := c.draw(r, x, rng)
			if c.weight(x, y) <= r.threshold {
				y = embedding.ID(noise.Below(rng, uint64(table.Len())))
			}
			return y
		},
		"other row": func(x embedding.ID, rng rand.Source) embedding.ID {
			if noise.Bernoulli(rng, 1, 50) {
				x = 1
			}
			return c.draw(c.rows.get(x), x, rng)
		},
		"keeps the input": func(x embedding.ID, rng rand.Source) embedding.ID {
			if noise.Bernoulli(rng, 1, 100) {
				return x
			}
			return c.draw(c.rows.get(x), x, rng)
		},
	} {
		rng := noise.Seeded(7, 7)
		const draws = 200000
		counts := drawCounts(t, table.Len(), draws, 0, func(dst, src []embedding.ID) []embedding.ID {
			for _, x := range src {
				dst = append(dst, mutant(x, rng))
			}
			return dst
		})
		if p := chiSquare(counts, c.Weights(nil, 0), draws); p >= falseFailure {
			t.Errorf("the mutant %q passes, p = %g", name, p)
		}
	}
}

func TestTwoRunsNeverRepeat(t *testing.T) {
	table := randomTable(t, 700, 8)
	m, err := newResponse(t.Context(), table, Spec{Epsilon: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	// Two sequences of 64 nearly uniform words agree with chance below 1e-150.
	src := make([]embedding.ID, 64)
	a, _ := m.Replace(nil, src, nil)
	b, _ := m.Replace(nil, src, nil)
	if slices.Equal(a, b) {
		t.Error("two calls without a source drew the same words")
	}
	c, _ := m.Replace(nil, src, noise.Seeded(1, 2))
	d, _ := m.Replace(nil, src, noise.Seeded(1, 2))
	e, _ := m.Replace(nil, src, noise.Seeded(1, 3))
	if !slices.Equal(c, d) || slices.Equal(c, e) {
		t.Error("a seeded stream must repeat, and two streams must differ")
	}
}

// randomTable has Gaussian vectors and a few words that share one.
func randomTable(t testing.TB, n, dim int) *embedding.Table {
	rng := rand.New(rand.NewPCG(3, 4))
	s := embedding.Source{Name: "random", Dim: dim}
	for i := range n {
		s.Words = append(s.Words, "w"+string(rune('a'+i/676))+string(rune('a'+i/26%26))+string(rune('a'+i%26)))
		for range dim {
			s.Vectors = append(s.Vectors, float32(rng.NormFloat64()))
		}
		if i > 0 && i%50 == 0 {
			copy(s.Vectors[i*dim:], s.Vectors[(i-1)*dim:i*dim])
		}
	}
	return mustTable(t, s)
}

func TestQuickselectFindsTheKthSmallest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		v := make([]uint64, 1+rng.IntN(40))
		for i := range v {
			v[i] = rng.Uint64N(12)
		}
		sorted := slices.Clone(v)
		slices.Sort(sorted)
		k := 1 + rng.IntN(len(v))
		if got := quickselect(v, k); got != sorted[k-1] {
			t.Fatalf("the %d-th smallest of %v is %d, got %d", k, sorted, sorted[k-1], got)
		}
	}
	if quickselect([]uint64{math.MaxUint64}, 1) != math.MaxUint64 {
		t.Error("one value is its own smallest")
	}
	var s rowScratch
	for range 2000 {
		weights := make([]uint64, 1+rng.IntN(300))
		var at []uint32
		var sorted []uint64
		for i := range weights {
			weights[i] = 1 + rng.Uint64()>>rng.IntN(64)
			if weights[i] == 0 {
				weights[i] = math.MaxUint64
			}
			if i == 0 || rng.IntN(3) > 0 {
				at = append(at, uint32(i))
				sorted = append(sorted, weights[i])
			}
		}
		slices.Sort(sorted)
		k := 1 + rng.IntN(len(at))
		if got := s.smallest(weights, at, k); got != sorted[k-1] {
			t.Fatalf("the %d-th smallest of %v is %d, got %d", k, sorted, sorted[k-1], got)
		}
	}
}

// An alias row gives every word exactly its weight: the shares of all cells,
// added up in integers.
func TestAliasRowsHoldTheExactWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		weights := make([]uint64, 1+rng.IntN(60))
		for i := range weights {
			weights[i] = 1 + rng.Uint64N(1<<rng.IntN(40))
		}
		a := newAliasRow(weights)
		got := make([]uint64, len(weights))
		for i, keep := range a.keep {
			if keep > a.total {
				t.Fatalf("cell %d keeps %d of %d", i, keep, a.total)
			}
			got[i] += keep
			got[a.other[i]] += a.total - keep
		}
		for i, w := range weights {
			if got[i] != w*uint64(len(weights)) {
				t.Fatalf("word %d has %d, want %d", i, got[i], w*uint64(len(weights)))
			}
		}
	}
}
