package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/stage"
)

// around returns vectors near a few directions, and the texts that have them.
func around(n, dim int, seed uint64) (texts []string, vectors [][]float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := make([][]float64, 60)
	for i := range centres {
		for range dim {
			centres[i] = append(centres[i], r.NormFloat64())
		}
	}
	for i := range n {
		v := make([]float64, dim)
		for d, x := range centres[r.IntN(len(centres))] {
			v[d] = x + r.NormFloat64()/2
		}
		texts, vectors = append(texts, fmt.Sprintf("text %x", i)), append(vectors, v)
	}
	return texts, vectors
}

// approximately is the definition of Approximate over some clusters.
func approximately(c *Corpus, of *Clusters, vector []int8, k int) []uint32 {
	product := func(x []int8) (sum int) {
		for d, v := range x {
			sum += int(v) * int(vector[d])
		}
		return sum
	}
	type scored struct{ index, score int }
	nearest := func(all []scored) []scored {
		slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.index, b.index)) })
		return all
	}
	var clusters, compared []scored
	for i := range of.Len() {
		clusters = append(clusters, scored{i, product(of.Centre(nil, i))})
	}
	for _, cluster := range nearest(clusters) {
		for i := range c.Len() {
			if of.Of(i) == cluster.index && len(compared) < c.Compared(k) {
				compared = append(compared, scored{i, product(c.Vector(nil, i))})
			}
		}
	}
	var set []uint32
	for _, s := range nearest(compared)[:k] {
		set = append(set, uint32(s.index))
	}
	slices.Sort(set)
	return set
}

// Every vector has exactly k texts, those of the definition: the zero vector, the
// largest and the smallest, those of texts, and sets that are larger than any cluster.
func TestIndexGivesExactlyTheSetsOfItsDefinition(t *testing.T) {
	stage.Unraced(t)
	const n, dim = 600, 6
	texts, vectors := around(n, dim, 3)
	for _, clusters := range []int{0, 1, 9, 300} {
		c := build(t, texts, Options{Dimensions: dim, Vectors: brought(vectors), Clusters: clusters})
		size := c.card.indexClusters()
		if want := map[int]int{0: 10, 1: 1, 9: 9, 300: 300}[clusters]; size != want {
			t.Fatalf("the index of %d clusters has %d lists, want %d", clusters, size, want)
		}
		of, err := c.Clusters(t.Context(), size)
		if err != nil {
			t.Fatal(err)
		}
		hostile := make([]int8, dim)
		hostile = append(hostile, slices.Repeat([]int8{math.MaxInt8}, dim)...)
		hostile = append(hostile, slices.Repeat([]int8{math.MinInt8}, dim)...)
		rapid.Check(t, func(t *rapid.T) {
			k := rapid.OneOf(rapid.IntRange(1, 80), rapid.IntRange(1, n)).Draw(t, "k")
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			xs := slices.Clone(hostile)
			for range 5 {
				xs = c.Vector(xs, r.IntN(n))
			}
			got, err := c.Approximate([]uint32{7}, xs, k)
			if err != nil || len(got) != 1+len(xs)/dim*k {
				t.Fatalf("%d texts, want %d (%v)", len(got), 1+len(xs)/dim*k, err)
			}
			for i := range len(xs) / dim {
				if want := approximately(c, of, xs[i*dim:(i+1)*dim], k); !slices.Equal(got[1+i*k:1+(i+1)*k], want) {
					t.Fatalf("vector %d, k = %d: %v, want %v", i, k, got[1+i*k:1+(i+1)*k], want)
				}
			}
		})
	}
}

// How many texts a vector is compared with depends on k and the size of the corpus
// alone. It is at least k, and all of them where it would be a quarter.
func TestNumberComparedIsPublic(t *testing.T) {
	for _, want := range []struct{ texts, k, compared int }{
		{1, 1, 1}, {63, 1, 5}, {64, 3, 14}, {64, 4, 64}, {64, 64, 64}, {1_000_000, 1, 31_254}, {1_000_000, 500, 33_250},
		{1_000_000, 54_687, 249_998}, {1_000_000, 54_688, 1_000_000}, {1_000_000, 999_999, 1_000_000},
	} {
		c := &Corpus{card: Card{Texts: want.texts}}
		if got := c.Compared(want.k); got != want.compared {
			t.Errorf("%d texts, k = %d: compared with %d, want %d", want.texts, want.k, got, want.compared)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		c := &Corpus{card: Card{Texts: rapid.IntRange(1, 1<<32-1).Draw(t, "texts")}}
		k := rapid.IntRange(1, c.Len()).Draw(t, "k")
		if n := c.Compared(k); n < k || n > c.Len() {
			t.Fatalf("%d texts, k = %d: compared with %d", c.Len(), k, n)
		}
	})
}

// On clustered vectors the index finds most of the nearest texts, and for a large k all.
func TestIndexFindsMostOfTheNearest(t *testing.T) {
	stage.Unraced(t)
	const n, dim = 6000, 24
	texts, vectors := around(n, dim, 4)
	c := build(t, texts, Options{Dimensions: dim, Vectors: brought(vectors)})
	var xs []int8
	for i := range 50 {
		xs = c.Vector(xs, i*n/50)
	}
	for k, least := range map[int]float64{20: 0.9, 100: 0.9, 1000: 1} {
		exact, err := c.Nearest(nil, xs, k)
		if err != nil {
			t.Fatal(err)
		}
		found, err := c.Approximate(nil, xs, k)
		if err != nil {
			t.Fatal(err)
		}
		hit := 0
		for i := range 50 {
			for _, y := range found[i*k : (i+1)*k] {
				if _, ok := slices.BinarySearch(exact[i*k:(i+1)*k], y); ok {
					hit++
				}
			}
		}
		if recall := float64(hit) / float64(50*k); recall < least {
			t.Errorf("k = %d: %.3f of the nearest are found, want %g", k, recall, least)
		}
	}
}

func TestDigestOfAnIndexIsThatOfItsClusters(t *testing.T) {
	texts, vectors := around(300, 4, 5)
	digests := map[string]bool{}
	for _, clusters := range []int{2, 3, 3, 0} {
		c := build(t, texts, Options{Dimensions: 4, Vectors: brought(vectors), Clusters: clusters})
		first, err := c.Index()
		if err != nil {
			t.Fatal(err)
		}
		read, err := parse(fileOf(t, c))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := read.Index(); again != first || err != nil {
			t.Errorf("%d clusters: the digest is %s, and %s from the file (%v)", clusters, first, again, err)
		}
		digests[first] = true
	}
	if len(digests) != 3 {
		t.Errorf("2, 3 and several clusters have %d digests, want 3", len(digests))
	}
	other := slices.Clone(vectors)
	slices.Reverse(other)
	c := build(t, texts, Options{Dimensions: 4, Vectors: brought(other), Clusters: 2})
	if d, err := c.Index(); digests[d] || err != nil {
		t.Errorf("clusters of other vectors have the same digest (%v)", err)
	}
}

func TestCorpusWithoutClustersHasNoIndex(t *testing.T) {
	c := build(t, []string{"a", "b", "c"}, Options{Dimensions: 1, Vectors: func(v []float64, i int) error { v[0] = 1; return nil }})
	if _, err := c.Index(); !errors.Is(err, ErrNoClusters) {
		t.Errorf("Index: %v", err)
	}
	if set, err := c.Approximate([]uint32{7}, []int8{1}, 1); !errors.Is(err, ErrNoClusters) || len(set) != 1 {
		t.Errorf("Approximate: %v (%v)", set, err)
	}
	if _, err := c.Approximate(nil, []int8{1}, 4); err == nil {
		t.Error("four of three texts are found")
	}
}
