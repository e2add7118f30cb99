package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/mechanism/mechanismtest"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"pgregory.net/rapid"
)

// book is a codebook in memory that sorts all texts for each vector.
type book struct {
	dim     int
	vectors []int8
	asked   *int // rows searched, nil: not counted
}

func newBook(n, dim int, seed uint64) book {
	rng := rand.New(noise.Seeded(seed, 1))
	b := book{dim: dim, vectors: make([]int8, n*dim)}
	for i := range b.vectors {
		b.vectors[i] = int8(rng.IntN(255) - 127)
	}
	return b
}

func (b book) Name() string   { return "book" }
func (b book) Len() int       { return len(b.vectors) / b.dim }
func (b book) Dim() int       { return b.dim }
func (b book) Digest() string { return "0123" }

func (b book) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	for ; len(vectors) > 0; vectors = vectors[b.dim:] {
		if b.asked != nil {
			*b.asked++
		}
		product := make([]int, b.Len())
		order := make([]uint32, b.Len())
		for i := range order {
			order[i] = uint32(i)
			for j, v := range vectors[:b.dim] {
				product[i] += int(v) * int(b.vectors[i*b.dim+j])
			}
		}
		slices.SortFunc(order, func(x, y uint32) int {
			return cmp.Or(cmp.Compare(product[y], product[x]), cmp.Compare(x, y))
		})
		slices.Sort(order[:k])
		dst = append(dst, order[:k]...)
	}
	return dst, nil
}

// indexedBook has an index that finds the nearest among as many of the first texts.
type indexedBook struct{ book }

func (b indexedBook) Index() (string, error) { return "4567", nil }
func (b indexedBook) Compared(k int) int     { return max(k, b.Len()/2) }

func (b indexedBook) Approximate(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	return book{b.dim, b.vectors[:b.Compared(k)*b.dim], b.asked}.Nearest(dst, vectors, k)
}

func openRetrieval(t testing.TB, b mechanism.Codebook, epsilon float64, parameters map[string]string) *sets.Texts {
	t.Helper()
	r, err := newRetrieval(context.Background(), b, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
	if err != nil {
		t.Fatal(err)
	}
	return r.(*sets.Texts)
}

func TestRetrievalKeepsTheContract(t *testing.T) {
	b := newBook(60, 7, 1)
	for _, epsilon := range []float64{0.01, 0.7, 2, 5} {
		for _, parameters := range []map[string]string{nil, {"neighbours": "3"}, {"objective": "readable"}} {
			spec := mechanism.Spec{Epsilon: epsilon, Parameters: parameters}
			if err := mechanismtest.CheckRetriever(t.Context(), retrievalEntry, b, spec, b.vectors[:7], b.vectors[7:14]); err != nil {
				t.Errorf("epsilon %g, %v: %v", epsilon, parameters, err)
			}
		}
	}
}

func TestRetrievalByAnIndexKeepsTheContract(t *testing.T) {
	stage.Unraced(t)
	b := indexedBook{newBook(60, 7, 1)}
	for _, epsilon := range []float64{0.01, 2, 5} {
		for _, neighbours := range []string{"3", "30", "59"} {
			spec := mechanism.Spec{Epsilon: epsilon, Parameters: map[string]string{"neighbours": neighbours, "search": "approximate"}}
			if err := mechanismtest.CheckRetriever(t.Context(), retrievalEntry, b, spec, b.vectors[:7], b.vectors[7:14]); err != nil {
				t.Errorf("epsilon %g, k = %s: %v", epsilon, neighbours, err)
			}
		}
	}
}

// Rows and draws are those of the sets that the index finds. The settings name it, and
// the claim is that of the exact search.
func TestRetrievalDrawsFromTheSetsOfTheIndex(t *testing.T) {
	const rows = 2000 // more than are searched at once
	b := indexedBook{newBook(60, 3, 6)}
	r := openRetrieval(t, b, 9, map[string]string{"neighbours": "5", "search": "approximate"})
	exact := openRetrieval(t, b, 9, map[string]string{"neighbours": "5", "search": "exact"})
	x := b.vectors[3*50 : 3*51] // its nearest texts are not all among the first
	set, err := b.Approximate(nil, x, 5)
	if err != nil {
		t.Fatal(err)
	}
	row, err := r.Weights(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	other, err := exact.Weights(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	for y, w := range row {
		if (w == slices.Max(row)) != slices.Contains(set, uint32(y)) {
			t.Errorf("text %d has the weight %d, the set of the index is %v", y, w, set)
		}
	}
	if slices.Equal(row, other) {
		t.Error("the row is that of the exact search")
	}
	drawn, err := r.Draw(t.Context(), nil, slices.Repeat(x, rows), func(row int) rand.Source { return noise.Seeded(3, uint64(row)) })
	if err != nil {
		t.Fatal(err)
	}
	outside := 0
	for _, y := range drawn {
		if !slices.Contains(set, y) {
			outside++
		}
	}
	// 55 of 60 texts share 55/(5 e^9 + 55) = 0.14 % of the draws: 2.7 are expected, and
	// more than 30 have a chance below 1e-19.
	if outside > 30 {
		t.Errorf("%d of %d draws are outside the set of the index", outside, rows)
	}
	settings := map[string]any{}
	for _, s := range r.Settings() {
		settings[s.Name] = s.Value
	}
	if settings["search"] != "approximate" || settings["compared"] != 30 || settings["index-sha256"] != "4567" || r.Claim() != exact.Claim() || r.Levels() != exact.Levels() {
		t.Errorf("settings %v, claim %+v", settings, r.Claim())
	}
	var refused *privacy.ParameterError
	if _, err := newRetrieval(t.Context(), b.book, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"search": "approximate"}}); !errors.As(err, &refused) || refused.Name != "search" {
		t.Errorf("a codebook without an index: %v", err)
	}
}

// Every ratio of two rows is at most e^epsilon whatever the vectors are, with
// equal vectors in the codebook too, and the known loss is attained.
func TestRetrievalLosesAtMostEpsilonBetweenAnyTwoTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(1, 40).Draw(t, "texts"), rapid.IntRange(1, 5).Draw(t, "components")
		b := book{dim: dim, vectors: rapid.SliceOfN(rapid.Int8Range(-2, 2), n*dim, n*dim).Draw(t, "codebook")}
		epsilon := rapid.Float64Range(0.001, 12).Draw(t, "epsilon")
		r, err := newRetrieval(context.Background(), b, mechanism.Spec{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		losesAtMost(t, r, dim, epsilon)
	})
}

// losesAtMost compares the rows of any two vectors: no output's ratio is above e^epsilon, and
// the rows have one sum.
func losesAtMost(t *rapid.T, r mechanism.Retriever, dim int, epsilon float64) {
	draw := rapid.SliceOfN(rapid.Int8(), dim, dim)
	x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
	a, err := r.Weights(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Weights(nil, y)
	if err != nil {
		t.Fatal(err)
	}
	var sumA, sumC uint64
	for i := range a {
		sumA, sumC = sumA+a[i], sumC+c[i]
		if loss := math.Log(float64(a[i]) / float64(c[i])); loss > epsilon*(1+1e-12) {
			t.Fatalf("output %d loses %g, epsilon is %g", i, loss, epsilon)
		}
	}
	if sumA != sumC {
		t.Fatalf("rows sum to %d and %d", sumA, sumC)
	}
}

// The two weights of the largest set and the oracle's integers agree: the loss is at
// most epsilon and at least what the integers of that size allow.
func TestRetrievalHasTheOraclesLevels(t *testing.T) {
	var o struct {
		TwoLevel []struct {
			M, K int
			Eps  float64
			PIn  float64 `json:"p_in"`
			Info float64 `json:"information"`
		} `json:"two_level"`
		Inside []struct {
			M, K        int
			Eps, Inside float64
		} `json:"k_for_inside"`
	}
	data, err := os.ReadFile(refdata.Path(t, "oracles/units.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	for _, c := range o.TwoLevel {
		r := openRetrieval(t, book{1, make([]int8, c.M), nil}, c.Eps, map[string]string{"neighbours": strconv.Itoa(c.K)})
		levels := r.Levels()
		if p := levels.Inside * float64(levels.Size); math.Abs(p-c.PIn) > 1e-8*c.PIn {
			t.Errorf("M %d, k %d, epsilon %g: p is %.12g, the oracle says %.12g", c.M, c.K, c.Eps, p, c.PIn)
		}
		for _, s := range r.Settings() {
			// inside is that of the integer weights, which are rounded down.
			if v, ok := s.Value.(float64); ok && (s.Name == "inside" && math.Abs(v-c.PIn) > 1e-9 || s.Name == "information" && math.Abs(v-c.Info) > 1e-9) {
				t.Errorf("M %d, k %d, epsilon %g: %s is %.15g, the oracle says %.15g and %.15g", c.M, c.K, c.Eps, s.Name, v, c.PIn, c.Info)
			}
		}
		if p := sets.Chance(c.K, c.M, c.Eps); math.Abs(p-c.PIn) > 1e-12 {
			t.Errorf("M %d, k %d, epsilon %g: the chance of the set is %.15g, the oracle says %.15g", c.M, c.K, c.Eps, p, c.PIn)
		}
		if _, most := r.Pure(); most > c.Eps || most < c.Eps-1e-8 {
			t.Errorf("M %d, k %d: the loss is %g, epsilon %g", c.M, c.K, most, c.Eps)
		}
	}
	for _, c := range o.Inside {
		if k := sets.Inside(c.M, c.Eps, c.Inside); k != c.K {
			t.Errorf("M %d, epsilon %g: k for p = %g is %d, the oracle says %d", c.M, c.Eps, c.Inside, k, c.K)
		}
	}
}

// Sizes without a given k, by hand from
// clip(round(M/(e^epsilon + 1)), min(10, ceil(M/3)), max(1, M - 1)).
func TestRetrievalChoosesTheSizeFromTheCodebookAndEpsilon(t *testing.T) {
	for _, c := range []struct {
		m       int
		epsilon float64
		k       int
	}{{33535, 4, 603}, {33535, 1, 9019}, {5230, 8, 10}, {5230, 2, 623}, {1, 1, 1}, {2, 1, 1}, {3, 4, 1}, {3, 0.01, 1}, {12, 4, 4}, {30, 700, 10}, {4, 1e-3, 2}} {
		r := openRetrieval(t, book{1, make([]int8, c.m), nil}, min(c.epsilon, 20), nil)
		if k := sets.Even(c.m, c.epsilon); k != c.k || c.epsilon <= 20 && r.Levels().Size != c.k {
			t.Errorf("M %d, epsilon %g: k is %d and %d, must be %d", c.m, c.epsilon, k, r.Levels().Size, c.k)
		}
	}
}

// Draws follow the weights: a chi-squared statistic of 200,000 draws over 40 texts
// has 39 degrees of freedom and is above 105 with chance 5e-8.
func TestRetrievalDrawsFollowItsWeights(t *testing.T) {
	stage.Unraced(t)
	const draws = 200_000
	b := newBook(40, 3, 5)
	for _, untimed := range []bool{false, true} {
		r, err := newRetrieval(t.Context(), b, mechanism.Spec{Epsilon: 1.5, Untimed: untimed})
		if err != nil {
			t.Fatal(err)
		}
		x := []int8{3, -90, 41}
		weights, err := r.Weights(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, w := range weights {
			total += float64(w)
		}
		rng := noise.Seeded(9, 9)
		out, err := r.Draw(t.Context(), nil, slices.Repeat(x, draws), func(int) rand.Source { return rng })
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, len(weights))
		for _, y := range out {
			counts[y]++
		}
		statistic := 0.0
		for y, w := range weights {
			expected := float64(w) / total * draws
			statistic += (counts[y] - expected) * (counts[y] - expected) / expected
		}
		if statistic > 105 {
			t.Errorf("untimed %t: chi-squared is %.1f for 39 degrees of freedom", untimed, statistic)
		}
	}
}

// Without Untimed every row is searched, so that time does not show which rows were
// drawn from the whole codebook; with it fewer are, and the draws are the same.
func TestRetrievalSearchesEveryRowUnlessToldOtherwise(t *testing.T) {
	const rows = 1000
	asked := 0
	b := newBook(50, 4, 2)
	b.asked = &asked
	vectors := slices.Repeat(b.vectors[:20], rows/5)
	source := func(row int) rand.Source { return noise.Seeded(4, uint64(row)) }
	var outs [2][]uint32
	var searched [2]int
	for i, untimed := range []bool{false, true} {
		r, err := newRetrieval(t.Context(), b, mechanism.Spec{Epsilon: 1, Untimed: untimed})
		if err != nil {
			t.Fatal(err)
		}
		asked = 0
		if outs[i], err = r.Draw(t.Context(), nil, vectors, source); err != nil {
			t.Fatal(err)
		}
		searched[i] = asked
	}
	if searched[0] != rows || searched[1] >= rows || searched[1] == 0 {
		t.Errorf("searched %d rows, and %d where nobody sees the time, of %d", searched[0], searched[1], rows)
	}
	if !slices.Equal(outs[0], outs[1]) {
		t.Error("the draws differ")
	}
}

// With Untimed the number of searches depends on the number of rows alone: how long a
// call takes does not reveal how many draws were from a set, and a single row is always
// searched for.
func TestRetrievalsSearchesDependOnTheNumberOfRowsAlone(t *testing.T) {
	stage.Unraced(t)
	asked := 0
	b := newBook(50, 4, 2)
	b.asked = &asked
	for _, rows := range []int{0, 1, 2, 64, 100, 500, 4000} {
		numbers := map[int]bool{}
		for seed := range uint64(40) {
			r, err := newRetrieval(t.Context(), b, mechanism.Spec{Epsilon: 1, Untimed: true})
			if err != nil {
				t.Fatal(err)
			}
			asked = 0
			if _, err := r.Draw(t.Context(), nil, slices.Repeat(b.vectors[4*(seed%50):][:4], rows), func(row int) rand.Source { return noise.Seeded(seed, uint64(row)) }); err != nil {
				t.Fatal(err)
			}
			numbers[asked] = true
		}
		// More than the fixed number are needed with chance 1e-7 in each of 280 calls.
		if len(numbers) != 1 || rows <= 2 && !numbers[rows] || rows >= 100 && numbers[rows] {
			t.Errorf("%d rows: %v were searched for", rows, numbers)
		}
	}
}

// Vectors that the caller brings depend on an encoder that cannot be checked here.
func TestRetrievalClaimsAPublicEncoderForBroughtVectors(t *testing.T) {
	for _, brought := range []bool{false, true} {
		r, err := newRetrieval(t.Context(), newBook(9, 2, 1), mechanism.Spec{Epsilon: 1, BroughtVectors: brought})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Claim().Assumes&privacy.PublicEncoder != 0; got != brought {
			t.Errorf("brought vectors %t: assumes a public encoder %t", brought, got)
		}
	}
}
