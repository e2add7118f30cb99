package catalog

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
)

// pairsOfTexts measures how far apart the images of averages are, without any rounding.
type pairsOfTexts struct {
	images, vectors [][]float64 // of the words
}

func newPairsOfTexts(table *embedding.Table, phi additive.Projection) (p pairsOfTexts) {
	for x := range table.Len() {
		v := table.Vector(nil, embedding.ID(x))
		image, wide := make([]float64, phi.Out), make([]float64, phi.In)
		phi.Apply(image, v)
		for k, c := range v {
			wide[k] = float64(c)
		}
		p.images, p.vectors = append(p.images, image), append(p.vectors, wide)
	}
	return p
}

// distance returns the norm of the mean of the differences of rows: a[i] less b[i].
func distance(rows [][]float64, a, b []int) float64 {
	square := 0.0
	for k := range rows[0] {
		sum := 0.0
		for i := range a {
			sum += rows[a[i]][k] - rows[b[i]][k]
		}
		square += sum * sum
	}
	return math.Sqrt(square) / float64(len(a))
}

// stretch returns the ratio of the images' distance of two texts of one size to their
// mean-word distance: the least over the orders of b. Both texts are of one to three
// words.
func (p pairsOfTexts) stretch(a, b []int) float64 {
	least := math.Inf(1)
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		sum := 0.0
		for i := range a {
			if j := order[i]; j < len(b) {
				sum += distance(p.vectors, a[i:i+1], b[j:j+1])
			} else {
				sum = math.Inf(1) // this order is for longer texts
			}
		}
		least = min(least, sum/float64(len(a)))
	}
	if least == 0 {
		return 0
	}
	return distance(p.images, a, b) / least
}

// climb changes one word at a time, keeps what stretches more, and returns the largest
// stretch that it found.
func (p pairsOfTexts) climb(rng *rand.Rand, size, moves int) float64 {
	text := func() []int {
		t := make([]int, size)
		for i := range t {
			t[i] = rng.IntN(len(p.images))
		}
		return t
	}
	both := [2][]int{text(), text()}
	best := p.stretch(both[0], both[1])
	for range moves {
		word := &both[rng.IntN(2)][rng.IntN(size)]
		was := *word
		*word = rng.IntN(len(p.images))
		if s := p.stretch(both[0], both[1]); s >= best {
			best = s
		} else {
			*word = was
		}
	}
	return best
}

// withNeighbours returns a table of words with components up to 2^24 steps and, beside
// each, one that is a few steps away, on a grid with the step 1.
func withNeighbours(t *testing.T, rng *rand.Rand, words, dim, away int) *embedding.Table {
	s := embedding.Source{Name: "neighbours", Dim: dim}
	for x := range words {
		from := len(s.Vectors)
		for range dim {
			s.Vectors = append(s.Vectors, float32(rng.IntN(1<<24)-1<<23))
		}
		s.Vectors = append(s.Vectors, s.Vectors[from:]...)
		for k := from + dim; k < from+2*dim; k++ {
			s.Vectors[k] += float32(rng.IntN(2*away+1) - away)
		}
		s.Words = append(s.Words, "w"+strconv.Itoa(x), "v"+strconv.Itoa(x))
	}
	s.Vectors[0] = 1<<24 - 1
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if table.Step() != 1 {
		t.Fatalf("the step is %g", table.Step())
	}
	return table
}

func tableConstant(t *testing.T, table *embedding.Table, dimensions, seed int, cache mechanism.Cache) (*privembVectors, float64) {
	t.Helper()
	p, err := newPrivembVectors(t.Context(), table, mechanism.Spec{Epsilon: 0.01, Cache: cache,
		Parameters: map[string]string{"lipschitz": "table", "dimensions": strconv.Itoa(dimensions), "phi": strconv.Itoa(seed)}})
	if err != nil {
		t.Fatal(err)
	}
	return p.(*privembVectors), setting(t, p, "lipschitz-constant")
}

// No two averages are stretched by more than the constant, and the search comes near to
// it where rounding hides little.
func TestNoAveragesAreStretchedByMoreThanTheTablesConstant(t *testing.T) {
	stage.Unraced(t)
	rng := rand.New(rand.NewPCG(testseed.Of(t, 63), 0))
	for _, c := range []struct {
		away  int
		slack float64
	}{{1, 0.5}, {5, 0.5}, {200, 0.1}, {1 << 20, 2e-4}} {
		away := c.away
		for seed := range 12 {
			table := withNeighbours(t, rng, 15, 6, away)
			m, constant := tableConstant(t, table, 4, seed, nil)
			pairs := newPairsOfTexts(table, m.phi)
			found := 0.0
			for x := range table.Len() {
				for y := range x {
					found = max(found, pairs.stretch([]int{x}, []int{y}))
				}
			}
			reach := found
			for size := 1; size <= 3; size++ {
				for range 4 {
					found = max(found, pairs.climb(rng, size, 300))
				}
			}
			if found > constant {
				t.Errorf("%d away, seed %d: two texts are stretched by %.17g, the constant is %.17g", away, seed, found, constant)
			}
			if found > reach*(1+1e-6) { // float64 computes images of 2^24 steps
				t.Errorf("%d away, seed %d: texts are stretched by %.17g, words by %.17g", away, seed, found, reach)
			}
			if constant > reach*(1+c.slack) {
				t.Errorf("%d away, seed %d: the constant is %g, words are stretched by %g", away, seed, constant, reach)
			}
		}
	}
}

// Images whose components are as small as float32 allows are rounded by all of themselves.
func TestTablesConstantForVectorsHoldsForTheSmallestVectors(t *testing.T) {
	table, err := embedding.NewNarrow(embedding.Narrow{Name: "two", Words: []string{"a", "b"}, Dim: 1, Step: 0x1p-149, Grid: []int8{1, 2}, Unknown: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 200 {
		m, constant := tableConstant(t, table, 1, seed, nil)
		if stretch := math.Abs(float64(m.phi.Entries[0])); constant < stretch {
			t.Errorf("phi = %d: two words are stretched by %.17g, the constant is %.17g", seed, stretch, constant)
		}
	}
}

// Words far from the origin and close together may have images that round to
// one grid point. Averages are projected without that grid, so their constant
// must hold for the images themselves.
func TestTablesConstantForVectorsHoldsWithoutTheGrid(t *testing.T) {
	for _, offset := range []float32{0, 1 << 12, 1 << 20, 3 << 21} {
		table, err := embedding.New(embedding.Source{Dim: 3, Words: []string{"a", "b"}, Vectors: []float32{offset, offset, offset, offset + 1, offset, offset}})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range 20 {
			m, constant := tableConstant(t, table, 5, seed, nil)
			a, b := make([]float64, m.phi.Out), make([]float64, m.phi.Out)
			m.phi.Apply(a, table.Vector(nil, 0))
			m.phi.Apply(b, table.Vector(nil, 1))
			square := 0.0
			for k := range a {
				square += (a[k] - b[k]) * (a[k] - b[k])
			}
			if got := math.Sqrt(square) / table.Distance(0, 1); got > constant*(1+1e-7) {
				t.Errorf("offset %g, seed %d: the words are stretched by %g, the constant is %g", offset, seed, got, constant)
			}
		}
	}
}

// The images of a table's words are rounded twice, to float32 and to the grid. In one
// dimension, where the grid is finer than float32, the first takes up to one step of
// each image: allowing for the grid alone falls short for an eighth of the seeds.
func TestTablesConstantForVectorsHoldsWithoutFloat32(t *testing.T) {
	table, err := embedding.NewNarrow(embedding.Narrow{Name: "two", Words: []string{"a", "b"}, Dim: 1, Step: 1, Grid: []int8{100, 101}, Unknown: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 200 {
		p, err := privembEntry.NewPerturber(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{
			"dimensions": "1", "lipschitz": "table", "phi": strconv.Itoa(seed)}})
		if err != nil {
			t.Fatal(err)
		}
		m := p.(*privembVectors)
		if stretch := math.Abs(float64(m.phi.Entries[0])); m.scale < stretch {
			t.Errorf("phi = %d: two words are stretched by %.17g, the noise is for %.17g", seed, stretch, m.scale)
		}
	}
}
