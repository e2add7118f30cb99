package catalog

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/noise"
	"pgregory.net/rapid"
)

// openClasses opens the member with some number of classes, 0 for the default.
func openClasses(t interface {
	Fatal(...any)
	Helper()
}, table *embedding.Table, epsilon float64, outputs int) *sets.Words {
	t.Helper()
	spec := mechanism.Spec{Epsilon: epsilon}
	if outputs > 0 {
		spec.Parameters = mechanism.Values{classesOutputs.Name: strconv.Itoa(outputs)}
	}
	m, err := classesEntry.New(context.Background(), table, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m.(*sets.Words)
}

// withUnknown returns a table with other words' vectors and one entry made the unknown one.
func withUnknown(t interface{ Fatal(...any) }, table *embedding.Table, unknown embedding.ID) *embedding.Table {
	src := embedding.Source{Name: "unknown", Dim: table.Dim(), Unknown: table.Word(unknown)}
	for x := range table.Len() {
		src.Words = append(src.Words, table.Word(embedding.ID(x)))
		src.Vectors = table.Vector(src.Vectors, embedding.ID(x))
	}
	made, err := embedding.New(src)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// The row of every word is e^epsilon for one output and 1 for the m - 1 others, whatever
// the sizes of the classes, so that all words have the same sum.
func TestClassesHaveOneOutputEachAndOneSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		n := table.Len()
		table = withUnknown(t, table, embedding.ID(rapid.IntRange(0, n-1).Draw(t, "unknown")))
		m := rapid.IntRange(1, n).Draw(t, "outputs")
		epsilon := rapid.Float64Range(0.05, 12).Draw(t, "epsilon")
		c := openClasses(t, table, epsilon, m)
		var outputs []int
		for x := range n {
			high, low := 0, 0
			var sum uint64
			for y, w := range c.Weights(nil, embedding.ID(x)) {
				sum += w
				switch w {
				case 0:
					continue
				case c.Levels().High:
					high++
					if m > 1 && c.Levels().High == c.Levels().Low {
						t.Skip("epsilon is too small for two weights")
					}
				case c.Levels().Low:
					low++
				default:
					t.Fatalf("P(%d|%d) is neither weight", y, x)
				}
				if x == 0 {
					outputs = append(outputs, y)
				} else if !slices.Contains(outputs, y) {
					t.Fatalf("%d is an output of %d and not of 0", y, x)
				}
			}
			if high != 1 || low != m-1 || sum != c.Total() {
				t.Fatalf("the row of %d has %d high weights, %d low ones and the sum %d, want 1, %d, %d", x, high, low, sum, m-1, c.Total())
			}
		}
		if ratio := math.Log(float64(c.Levels().High) / float64(c.Levels().Low)); ratio > epsilon*(1+1e-15) {
			t.Fatalf("the weights differ by e^%g, above epsilon %g", ratio, epsilon)
		}
		if _, pure := tripleLosses(c, table); pure > epsilon*(1+1e-12) {
			t.Fatalf("all triples give %g, above epsilon %g", pure, epsilon)
		}
	})
}

// The partition in plain words, with exact fractions.
func TestClassesFollowTheirRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		n := table.Len()
		unknown := embedding.ID(rapid.IntRange(0, n-1).Draw(t, "unknown"))
		table = withUnknown(t, table, unknown)
		m := rapid.IntRange(1, n).Draw(t, "outputs")
		ranked := []embedding.ID{unknown}
		for x := range embedding.ID(n) {
			if x != unknown {
				ranked = append(ranked, x)
			}
		}
		share := func(rank int) *big.Rat {
			return new(big.Rat).SetInt64(1<<32/(10*int64(rank)+27) + 1)
		}
		rest := new(big.Rat)
		for rank := range n {
			rest.Add(rest, share(rank))
		}
		mean := func(classes int) *big.Rat { return new(big.Rat).Quo(rest, new(big.Rat).SetInt64(int64(classes))) }
		alone := 0
		for alone < m-1 && share(alone).Cmp(mean(m-alone)) >= 0 {
			rest.Sub(rest, share(alone))
			alone++
		}
		limit := mean(m - alone)
		of, filled := map[embedding.ID]embedding.ID{}, map[embedding.ID]*big.Rat{}
		for rank, y := range ranked[:m] {
			of[y], filled[y] = y, share(rank)
		}
		for rank := m; rank < n; rank++ {
			x := ranked[rank]
			best := embedding.ID(n)
			for y := range embedding.ID(n) {
				at := slices.Index(ranked[:m], y)
				if at < alone || filled[y].Cmp(limit) >= 0 {
					continue
				}
				if best == embedding.ID(n) || table.SquaredDistance(x, y) < table.SquaredDistance(x, best) {
					best = y
				}
			}
			of[x] = best
			filled[best].Add(filled[best], share(rank))
		}
		setsAre(t, openClasses(t, table, 1, m), func(x embedding.ID) []embedding.ID { return []embedding.ID{of[x]} })
	})
}

// No class but those of single words has much more than its part.
func TestClassesHaveSharesNearTheirMean(t *testing.T) {
	stage.Unraced(t)
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{3, 6, 9} {
		c := openClasses(t, table, epsilon, 0)
		total, most := 0.0, 0.0
		shares, words := map[embedding.ID]float64{}, map[embedding.ID]int{}
		for x := range table.Len() {
			y := c.Members(embedding.ID(x))[0]
			shares[y] += 1 / (float64(x) + 2.7)
			words[y]++
			total += 1 / (float64(x) + 2.7)
		}
		m := c.Levels().Outputs
		for y, share := range shares {
			if words[y] > 1 {
				most = max(most, share/total*float64(m))
			}
		}
		if len(shares) != m || most > 1.01 {
			t.Errorf("epsilon %g: %d classes of %d, and a share of %.3g means", epsilon, len(shares), m, most)
		}
		if y := c.Members(table.Unknown()); len(y) != 1 || y[0] != table.Unknown() {
			t.Errorf("epsilon %g: unknown tokens become %v", epsilon, y)
		}
	}
}

// The default number of classes has the most mutual information of all numbers, from
// the rows.
func TestClassesAreTheMostInformativeNumber(t *testing.T) {
	table := oracle.RandomTable(t, 700, 3)
	for _, epsilon := range []float64{1e-3, 0.3, 0.5, 1, 2, 4, 6, 8, 30} {
		m := openClasses(t, table, epsilon, 0).Levels().Outputs
		information := func(m int) float64 {
			p := 1 / (1 + float64(m-1)*math.Exp(-epsilon))
			q := (1 - p) / float64(m-1)
			info := p * math.Log(p*float64(m))
			if q > 0 {
				info += (1 - p) * math.Log(q*float64(m))
			}
			return info
		}
		for other := 2; other <= table.Len(); other++ {
			// The best real number is rounded, which costs up to a hundredth at 3 classes and below.
			if information(other) > information(m)*1.01+1e-15 {
				t.Errorf("epsilon %g: %d classes have %g, %d have %g", epsilon, m, information(m), other, information(other))
			}
		}
	}
}

// A table of one word has one class; more classes than words are refused by name.
func TestClassesOfSmallTables(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		table := oracle.Line(t, n)
		for _, epsilon := range []float64{0.01, 1, 30} {
			if m := openClasses(t, table, epsilon, 0).Levels().Outputs; m < min(n, 2) || m > n {
				t.Errorf("%d words, epsilon %g: %d classes", n, epsilon, m)
			}
		}
		_, err := classesEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: mechanism.Values{classesOutputs.Name: strconv.Itoa(n + 1)}})
		if err == nil || !strings.Contains(err.Error(), "classes: outputs") {
			t.Errorf("%d classes of %d words: %v", n+1, n, err)
		}
		one := openClasses(t, table, 5, 1)
		loss, err := one.Certify(t.Context(), nil)
		if err != nil || loss.PureHigh != 0 || one.Claim().Epsilon != 5 {
			t.Errorf("one class: %+v, %v", loss, err)
		}
	}
}

// Tables of equal words and vectors can differ in their unknown entry, which their digest
// leaves out and the classes depend on.
func TestClassesOfAnotherUnknownEntryAreToldApart(t *testing.T) {
	table := oracle.RandomTable(t, 60, 3)
	digest := func(table *embedding.Table) string {
		for _, s := range openClasses(t, table, 3, 0).Settings() {
			if s.Name == "classes-sha256" {
				return s.Value.(string)
			}
		}
		t.Fatal("the settings have no digest of the classes")
		return ""
	}
	a, b := withUnknown(t, table, 7), withUnknown(t, table, 50)
	if a.Digest() != b.Digest() || digest(a) == digest(b) || digest(a) != digest(withUnknown(t, table, 7)) {
		t.Error("the digest of the classes is not that of the classes")
	}
}

// Words of one class are drawn alike, whatever their number, order and company.
func TestClassesDrawTheWordsOfAClassAlike(t *testing.T) {
	table := oracle.RandomTable(t, 300, 4)
	c := openClasses(t, table, 4, 0)
	of := map[embedding.ID][]embedding.ID{}
	for x := range embedding.ID(300) {
		y := c.Members(x)[0]
		of[y] = append(of[y], x)
	}
	src := make([]embedding.ID, 3000)
	swapped := make([]embedding.ID, len(src))
	for i := range src {
		src[i] = embedding.ID(i % 300)
		class := of[c.Members(src[i])[0]]
		swapped[i] = class[(i/300)%len(class)]
	}
	a, err := c.Replace(nil, src, noise.Seeded(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Replace(nil, swapped, noise.Seeded(1, 2))
	if err != nil || !slices.Equal(a, b) {
		t.Errorf("other words of the same classes are drawn otherwise (%v)", err)
	}
}

func TestClassesConform(t *testing.T) {
	for _, outputs := range []string{"", "2", "7", "40"} {
		spec := mechanism.Spec{Epsilon: 2}
		if outputs != "" {
			spec.Parameters = mechanism.Values{classesOutputs.Name: outputs}
		}
		if err := mechanismtest.Check(t.Context(), classesEntry, oracle.RandomTable(t, 40, 4), spec); err != nil {
			t.Errorf("outputs %q: %v", outputs, err)
		}
	}
}

// Unknown tokens are drawn like others: by their row, which is the row of a class.
func TestClassesDrawUnknownTokensByTheirRow(t *testing.T) {
	for _, unknown := range []embedding.ID{0, 5, 299} {
		table := withUnknown(t, oracle.RandomTable(t, 300, 4), unknown)
		c := openClasses(t, table, 4, 0)
		rng := noise.Seeded(9, uint64(unknown))
		const draws = 100000
		counts := oracle.DrawCounts(t, table.Len(), draws, table.Unknown(), func(dst, src []embedding.ID) []embedding.ID {
			dst, err := c.Replace(dst, src, rng)
			if err != nil {
				t.Fatal(err)
			}
			return dst
		})
		if p := oracle.ChiSquare(counts, c.Weights(nil, table.Unknown()), draws); p < oracle.FalseFailure {
			t.Errorf("unknown entry %d: draws do not follow the row, p = %g", unknown, p)
		}
	}
}

// The best guess when words are as likely as their shares, from the rows.
func TestClassesStateTheGuessInRunningText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := oracle.DrawTable(t)
		n := table.Len()
		table = withUnknown(t, table, embedding.ID(rapid.IntRange(0, n-1).Draw(t, "unknown")))
		c := openClasses(t, table, rapid.Float64Range(0.05, 8).Draw(t, "epsilon"), rapid.IntRange(1, n).Draw(t, "outputs"))
		share, total := make([]float64, n), 0.0
		for x, rank := 0, 1; x < n; x++ {
			share[x] = 1 / 2.7
			if embedding.ID(x) != table.Unknown() {
				share[x] = 1 / (float64(rank) + 2.7)
				rank++
			}
			total += share[x]
		}
		want := 0.0
		for y := range n {
			best := 0.0
			for x := range n {
				best = max(best, share[x]/total*float64(c.Weights(nil, embedding.ID(x))[y])/float64(c.Total()))
			}
			want += best
		}
		for _, s := range c.Settings() {
			if s.Name == "bayes-success-by-rank" && math.Abs(s.Value.(float64)-want) < 1e-6 {
				return
			}
		}
		t.Fatalf("the rows give %g, the settings %v", want, c.Settings())
	})
}
