package sotto

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// rowsOf returns the exact rows of a channel as chances.
func rowsOf(c mechanism.Channel, n int) [][]float64 {
	rows := make([][]float64, n)
	for x := range rows {
		total := 0.0
		weights := c.Weights(nil, embedding.ID(x))
		for _, w := range weights {
			total += float64(w)
		}
		for _, w := range weights {
			rows[x] = append(rows[x], float64(w)/total)
		}
	}
	return rows
}

// sequences returns all sequences of size numbers below n; bags those in ascending order.
func sequences(n, size int) (all [][]int) {
	if size == 0 {
		return [][]int{nil}
	}
	for _, s := range sequences(n, size-1) {
		for x := range n {
			all = append(all, append(slices.Clone(s), x))
		}
	}
	return all
}

func bags(n, size int) [][]int {
	return slices.DeleteFunc(sequences(n, size), func(s []int) bool { return !slices.IsSorted(s) })
}

// released returns the chance of each bag of outputs for a text.
func released(rows [][]float64, text []int) map[string]float64 {
	chances := map[string]float64{}
	for _, out := range sequences(len(rows), len(text)) {
		p := 1.0
		for i, y := range out {
			p *= rows[text[i]][y]
		}
		slices.Sort(out)
		chances[fmt.Sprint(out)] += p
	}
	return chances
}

// earthMovers returns the Earth Mover's distance of two bags of one size, divided by it:
// the least cost of all assignments.
func earthMovers(a, b []int, distance func(x, y int) float64) float64 {
	if len(a) == 0 {
		return 0
	}
	best := math.Inf(1)
	var assign func(i int, left []int, sum float64)
	assign = func(i int, left []int, sum float64) {
		if i == len(a) {
			best = min(best, sum)
		}
		for k, y := range left {
			assign(i+1, slices.Delete(slices.Clone(left), k, k+1), sum+distance(a[i], y))
		}
	}
	assign(0, b, 0)
	return best / float64(len(a))
}

// square is a table of five words in the plane.
func square(t *testing.T) *embedding.Table {
	t.Helper()
	table, err := embedding.New(embedding.Source{Words: []string{"a", "b", "c", "d", "e"}, Dim: 2, Vectors: []float32{0, 0, 1, 0, 0, 1.5, 1, 1, 3, 2}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// For every member with exact rows and a metric claim, and all bags of two and of three
// words, no bag of outputs is likelier than the statement allows. The bound is used to
// more than 90 % by some pair, so half of epsilon would fail.
func TestBagsLoseAtMostTheirEarthMoversDistance(t *testing.T) {
	if testing.Short() {
		t.Skip("statistics: the race detector would see no more than in one draw")
	}
	table := square(t)
	n := table.Len()
	distance := func(x, y int) float64 { return table.Distance(embedding.ID(x), embedding.ID(y)) }
	tried := 0
	for _, name := range []string{"exponential", "tem", "balanced", "packing"} {
		r, err := Open(t.Context(), Config{Mechanism: name, Table: table, Epsilon: 1.3})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := r.Statement(Counts{Documents: 2, Tokens: 6})
		if s.Bag == nil || s.Bag.Distance != "euclidean" || !strings.Contains(s.String(), "Earth") {
			t.Fatalf("%s: the statement has no promise for bags", name)
		}
		rows := rowsOf(r.Mechanism().(mechanism.Channel), n)
		for _, size := range []int{2, 3} {
			all, sharpest := bags(n, size), 0.0
			for _, a := range all {
				for _, b := range all {
					from, to := released(rows, a), released(rows, b)
					allowed := s.Bag.Epsilon * float64(size) * earthMovers(a, b, distance)
					for out, p := range from {
						loss := math.Log(p / to[out])
						if p == 0 {
							continue
						}
						if !(loss <= allowed*(1+1e-9)+1e-9) {
							t.Fatalf("%s: %v against %v loses %g at %s, at most %g is promised", name, a, b, loss, out, allowed)
						}
						if allowed > 0 {
							sharpest = max(sharpest, loss/allowed)
							tried++
						}
					}
				}
			}
			if sharpest < 0.9 {
				t.Errorf("%s, bags of %d: the sharpest pair uses %g of the promise: the test has no power", name, size, sharpest)
			}
		}
	}
	if tried == 0 {
		t.Error("nothing was compared")
	}
}

// The promise is for bags of outputs alone: two orders of one bag are at Earth Mover's
// distance 0, and their outputs in order are not the same. Nor does it hold where equal
// words share a draw: from one word twice two different ones never come out.
func TestBagsArePromisedWithoutOrderAndSharedDraws(t *testing.T) {
	table := square(t)
	r, err := Open(t.Context(), Config{Mechanism: "exponential", Table: table, Epsilon: 1.3})
	if err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(r.Mechanism().(mechanism.Channel), table.Len())
	if loss := math.Log(rows[0][0] * rows[4][4] / (rows[4][0] * rows[0][4])); loss < 1 {
		t.Errorf("the order of two words loses %g", loss)
	}
	one, two := released(rows, []int{0, 0}), released(rows, []int{0, 1})
	if one["[1 3]"] == 0 || two["[1 3]"] == 0 {
		t.Error("independent draws give every bag")
	}
	metric := Words{Mechanism: "exponential", Table: table, Epsilon: 1.3}
	for name, change := range map[string]func(*Words){
		"draws per distinct word": func(c *Words) { c.Unit = privacy.Word },
		"draws of a scope":        func(c *Words) { c.Scoped = true },
		"a pure claim":            func(c *Words) { c.Mechanism = "response" },
		"a claim with delta":      func(c *Words) { c.Mechanism = "gaussian-analytic" },
		"a refuted member":        func(c *Words) { c.Mechanism, c.Epsilon, c.Accept = "truncated-gumbel", 40, privacy.Refuted },
	} {
		cfg := metric
		change(&cfg)
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s := r.Statement(Counts{Documents: 1, Tokens: 3}); s.Bag != nil || strings.Contains(s.String(), "Earth") {
			t.Errorf("%s: the statement promises %+v for bags", name, s.Bag)
		}
	}
	capped := metric
	capped.Epsilon, capped.Cap = 0, Cap{Epsilon: 20, Tokens: 4, Over: Clamp}
	if r, err = Open(t.Context(), capped); err != nil {
		t.Fatal(err)
	}
	if b := r.Statement(Counts{}).Bag; b == nil || b.Longest == nil || *b.Longest != 4 || !strings.Contains(b.String(), "at most 4,") {
		t.Errorf("a cap of 4 tokens promises %+v", b)
	}
}
