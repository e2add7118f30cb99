package audit

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/audit/internal/tiles"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/mechanism"
	"pgregory.net/rapid"
)

func TestUnchangedLimitMatchesTheReference(t *testing.T) {
	raw, err := os.ReadFile(refdata.Path(t, "oracles/formulas.json"))
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Rows []struct {
			Vocabulary        int
			Eps, Delta, Limit float64
		} `json:"unchanged_word_limit"`
	}
	if err := json.Unmarshal(raw, &reference); err != nil || len(reference.Rows) == 0 {
		t.Fatal(err, len(reference.Rows))
	}
	for _, r := range reference.Rows {
		got, err := UnchangedLimit(r.Eps, r.Delta, r.Vocabulary)
		if err != nil || math.Abs(got-r.Limit) > 1e-9*r.Limit {
			t.Errorf("epsilon %g, delta %g: %.15g, %v, want %.15g", r.Eps, r.Delta, got, err, r.Limit)
		}
	}
}

func TestRandomisedResponseAttainsTheLimit(t *testing.T) {
	table := randomTable(t, 50, 2)
	for _, epsilon := range []float64{0.05, 1, 4} {
		_, m := open(t, table, "response", mechanism.Spec{Epsilon: epsilon})
		limit, err := UnchangedLimit(epsilon, 0, table.Len())
		if err != nil {
			t.Fatal(err)
		}
		if p := probability(m.(mechanism.Channel), 3, 3); math.Abs(p-limit) > 1e-8 || p > limit*(1+1e-12) {
			t.Errorf("epsilon %g: response keeps %g, the limit is %g", epsilon, p, limit)
		}
	}
}

func TestLimitsFarOutStayNumbers(t *testing.T) {
	for _, c := range []struct {
		epsilon, delta float64
		words          int
		want           float64
	}{{0, 0, 10, 0.1}, {5000, 0, 10, 1}, {0, 1, 10, 1}, {1, 0, 1, 1}} {
		if got, err := UnchangedLimit(c.epsilon, c.delta, c.words); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("limit at %+v is %g, %v", c, got, err)
		}
	}
	for _, c := range []struct {
		epsilon, delta float64
		words          int
	}{{-1, 0, 10}, {math.NaN(), 0, 10}, {math.Inf(1), 0, 10}, {1, -0.1, 10}, {1, 1.1, 10}, {1, 0, 0}} {
		if _, err := UnchangedLimit(c.epsilon, c.delta, c.words); err == nil {
			t.Errorf("limit at %+v must be refused", c)
		}
	}
}

// With equal shares the limit is the uniform one; and no channel of two-level
// rows over the k commonest words keeps more than the bound.
func TestLimitForFrequencies(t *testing.T) {
	uniform := []float64{0.25, 0.25, 0.25, 0.25}
	got, err := UnchangedLimitFrequencies(1, 0, uniform)
	want, _ := UnchangedLimit(1, 0, 4)
	if err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("equal shares: %g, %v, want %g", got, err, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "words")
		shares, sum := make([]float64, n), 0.0
		for i := range shares {
			shares[i] = rapid.Float64Range(0.001, 1).Draw(t, "share")
			sum += shares[i]
		}
		largest := 0.0
		for i := range shares {
			shares[i] /= sum
			largest = max(largest, shares[i])
		}
		epsilon := rapid.Float64Range(0, 9).Draw(t, "epsilon")
		limit, err := UnchangedLimitFrequencies(epsilon, 0, shares)
		if err != nil {
			t.Fatal(err)
		}
		if limit > math.Exp(epsilon)*largest+1e-12 || limit > 1 || limit < largest-1e-12 {
			t.Fatalf("limit %g for largest share %g at epsilon %g", limit, largest, epsilon)
		}
		uniform, _ := UnchangedLimit(epsilon, 0, n)
		if limit < uniform-1e-12 {
			t.Fatalf("limit %g is below what response over all words keeps, %g", limit, uniform)
		}
	})
	for _, bad := range [][]float64{nil, {0.5, 0.4}, {1.5, -0.5}, {math.NaN()}} {
		if _, err := UnchangedLimitFrequencies(1, 0, bad); err == nil {
			t.Errorf("shares %v must be refused", bad)
		}
	}
}

// No channel that is metric private may keep more than the bound, and on two
// words the bound is exact: both stay with chance 1/(1 + e^(-epsilon d)).
func TestMetricLimitHoldsForEveryChannel(t *testing.T) {
	two := mustTable(t, embedding.Source{Words: []string{"a", "b"}, Dim: 1, Vectors: []float32{0, 2}})
	if got, err := MetricUnchangedLimit(t.Context(), 0.7, two, nil); err != nil || math.Abs(got-1/(1+math.Exp(-1.4))) > 1e-5 {
		t.Errorf("two words: %g, %v", got, err)
	}
	table := randomTable(t, 80, 3)
	for _, epsilon := range []float64{0.3, 1, 3} {
		limit, err := MetricUnchangedLimit(t.Context(), epsilon, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"tem", "exponential"} {
			_, m := open(t, table, name, mechanism.Spec{Epsilon: epsilon})
			kept := 0.0
			for x := range table.Len() {
				kept += probability(m.(mechanism.Channel), embedding.ID(x), embedding.ID(x)) / float64(table.Len())
			}
			if kept > limit {
				t.Errorf("%s at %g keeps %g, above the limit %g", name, epsilon, kept, limit)
			}
		}
	}
}

// The dual point is feasible: K b >= 1 for the b behind the bound, so any
// feasible diagonal found by random search stays below it.
func TestMetricLimitIsAboveRandomFeasibleDiagonals(t *testing.T) {
	table := randomTable(t, 40, 2)
	const epsilon = 0.8
	limit, err := MetricUnchangedLimit(t.Context(), epsilon, table, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := kernel{table.Len(), tiles.New(table.Len())}
	if err := k.fill(t.Context(), table, -epsilon*table.Step()); err != nil {
		t.Fatal(err)
	}
	for x := range embedding.ID(k.n) {
		for y := range k.n {
			v := k.entries.At(int(x), y)
			if want := float32(math.Exp(-epsilon * table.Distance(x, embedding.ID(y)))); math.Abs(float64(v-want)) > 1e-6 {
				t.Fatalf("the entry of words %d and %d is %g, want %g", x, y, v, want)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		a, largest, sum := make([]float64, table.Len()), 0.0, 0.0
		for i := range a {
			a[i] = math.Pow(rng.Float64(), 4)
			sum += a[i]
		}
		for x := range a {
			row := 0.0
			for y := range a {
				row += float64(k.entries.At(x, y)) * a[y]
			}
			largest = max(largest, row)
		}
		if mean := sum / largest / float64(len(a)); mean > limit {
			t.Fatalf("a feasible diagonal keeps %g, above the limit %g", mean, limit)
		}
	}
}

// Where the diagonal a with K a = 1 is not negative, no channel keeps more than its mean, and
// that is the bound. The limit must not be below it, and little above.
func TestMetricLimitIsTheOptimum(t *testing.T) {
	const n, epsilon = 150, 4 // words in three blocks
	s, rng := embedding.Source{Dim: 3}, rand.New(rand.NewPCG(5, 5))
	for x := range n {
		s.Words = append(s.Words, fmt.Sprint("w", x))
		s.Vectors = append(s.Vectors, 3*rng.Float32(), 3*rng.Float32(), 3*rng.Float32())
	}
	table := mustTable(t, s)
	rows := make([][]float64, n) // of K, and 1
	for x := range rows {
		for y := range n {
			rows[x] = append(rows[x], math.Exp(-epsilon*table.Distance(embedding.ID(x), embedding.ID(y))))
		}
		rows[x] = append(rows[x], 1)
	}
	mean := 0.0
	for x, pivot := range rows { // Gauss and Jordan: K is positive definite
		for y, row := range rows {
			if by := row[x] / pivot[x]; y != x {
				for k := x; k <= n; k++ {
					row[k] -= by * pivot[k]
				}
			}
		}
	}
	for x, row := range rows {
		a := row[n] / row[x]
		if !(a >= 0) {
			t.Fatalf("the diagonal has %g: choose a larger epsilon", a)
		}
		mean += a / n
	}
	limit, err := MetricUnchangedLimit(t.Context(), epsilon, table, nil)
	if err != nil || !(limit >= mean && limit <= mean*(1+1e-6)) {
		t.Errorf("the limit is %.9g, want %.9g or a millionth more: %v", limit, mean, err)
	}
}
