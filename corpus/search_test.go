package corpus

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/internal/stage"
)

func TestQuantize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 300).Draw(t, "v")
		q := Quantize([]int8{9}, v)
		if q[0] != 9 || len(q) != len(v)+1 {
			t.Fatal("not appended")
		}
		doubled := make([]float64, len(v))
		length := 0.0
		for k, x := range v {
			doubled[k] = 2 * x
			length = math.Hypot(length, x)
		}
		if !slices.Equal(Quantize(nil, doubled), q[1:]) {
			t.Fatal("the length of a vector changes its grid vector")
		}
		for k, x := range v {
			want := 0.0
			if length > 0 {
				want = max(-127, min(127, x/length*float64(Radius(len(v)))))
			}
			if math.Abs(want-float64(q[k+1])) > 0.5+1e-6 {
				t.Fatalf("component %d is %d, want %g", k, q[k+1], want)
			}
		}
	})
	for _, v := range [][]float64{{0, 0}, {1, math.NaN()}, {math.Inf(1), 1}, {math.Inf(-1), 0}} {
		if q := Quantize(nil, v); q[0] != 0 || q[1] != 0 {
			t.Errorf("%v became %v, want zero", v, q)
		}
	}
	for _, v := range [][]float64{{1e308, -1e308}, {5e-324, -5e-324}, {1e-200, -1e-200}} {
		if q := Quantize(nil, v); q[0] != 90 || q[1] != -90 {
			t.Errorf("%v became %v, want 90 -90", v, q)
		}
	}
}

func brought(vectors [][]float64) func(v []float64, i int) error {
	return func(v []float64, i int) error {
		copy(v, vectors[i])
		return nil
	}
}

func TestBroughtVectorsBelongToRecords(t *testing.T) {
	vectors := [][]float64{{1, 0}, {9, 9}, {0, 1}, {math.NaN(), 1}, {-1, 0}, {5, 5}}
	texts := []string{"east", "", "north", "nowhere", "west", "EAST!"} // the second and the last are left out
	c := build(t, texts, Options{Dimensions: 2, Vectors: brought(vectors), Clusters: -1})
	if c.Len() != 4 || c.Card().Encoder.Kind != Brought {
		t.Fatalf("%d texts, %+v", c.Len(), c.Card())
	}
	if e, err := c.Encoder(nil); e != nil || err != nil {
		t.Errorf("brought vectors have an encoder (%v)", err)
	}
	found, err := c.Search(Quantize(nil, []float64{0.1, 1}), 4)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, m := range found {
		order = append(order, c.Text(m.Index))
	}
	if want := []string{"north", "east", "nowhere", "west"}; !slices.Equal(order, want) {
		t.Errorf("found %v, want %v", order, want)
	}
	again, err := parse(fileOf(t, c))
	if err != nil || again.Digest() != c.Digest() {
		t.Errorf("the file has another digest (%v)", err)
	}
	cause := errors.New("short file")
	b, err := NewBuilder(Options{Name: "x", Dimensions: 2, Vectors: func([]float64, int) error { return cause }})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add([]byte("a text")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Build(context.Background()); !errors.Is(err, cause) {
		t.Errorf("an error of the vectors became %v", err)
	}
}

func TestWrongSearches(t *testing.T) {
	c := build(t, []string{"a", "b", "c"}, Options{Dimensions: 2, Vectors: func(v []float64, i int) error { v[0] = float64(i); return nil }})
	for _, k := range []int{-1, 0, 4} {
		if _, err := c.Nearest(nil, []int8{1, 2}, k); err == nil || !strings.Contains(err.Error(), "must be 1 to 3") {
			t.Errorf("k=%d: %v", k, err)
		}
	}
	if _, err := c.Nearest(nil, []int8{1, 2, 3}, 1); err == nil {
		t.Error("one and a half vectors are searched")
	}
	if _, err := c.Search([]int8{1, 2, 3, 4}, 1); err == nil {
		t.Error("two vectors are searched as one")
	}
	if set, err := c.Nearest(nil, nil, 2); err != nil || len(set) != 0 {
		t.Errorf("no vectors have %v (%v)", set, err)
	}
}

// The grid changes few neighbours: of the 500 nearest of 5,000 clustered vectors, by the
// cosine of unrounded vectors, it keeps nearly all.
func TestGridKeepsTheNearest(t *testing.T) {
	stage.Unraced(t)
	const n, k, queries = 5000, 500, 30
	for _, dim := range []int{100, 200, 384} {
		r := rand.New(rand.NewPCG(6, uint64(dim)))
		centres := make([][]float64, 20)
		for i := range centres {
			centres[i] = make([]float64, dim)
			for d := range centres[i] {
				centres[i][d] = r.NormFloat64()
			}
		}
		vectors := make([][]float64, n+queries)
		packed := inner.NewBlocks(n, dim)
		for i := range vectors {
			v, centre := make([]float64, dim), centres[r.IntN(len(centres))]
			for d := range v {
				v[d] = centre[d] + r.NormFloat64()
			}
			normalise(v)
			if vectors[i] = v; i < n {
				inner.Set(packed, i, Quantize(nil, v))
			}
		}
		table, kept := nearest.New(packed, n, dim), 0
		for _, query := range vectors[n:] {
			order, cosine := make([]int, n), make([]float64, n)
			for i := range order {
				order[i] = i
				for d, x := range query {
					cosine[i] += x * vectors[i][d]
				}
			}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(cosine[b], cosine[a]) })
			for _, i := range table.Nearest(nil, Quantize(nil, query), k) {
				if slices.Contains(order[:k], int(i)) {
					kept++
				}
			}
		}
		if share := float64(kept) / (k * queries); share < 0.98 {
			t.Errorf("%d dimensions: %.4f of the nearest are kept", dim, share)
		} else {
			t.Logf("%d dimensions: %.4f of the nearest are kept", dim, share)
		}
	}
}

// A corpus stores several clusterings, equal to those computed without a file.
func TestSeveralClusteringsAreStored(t *testing.T) {
	stage.Unraced(t)
	c, err := parse(fileOf(t, build(t, sample(400), Options{Table: tableOf(t)})))
	if err != nil {
		t.Fatal(err)
	}
	sizes := c.card.clusterings()
	if want := []int{20, 10, 40}; !slices.Equal(sizes, want) {
		t.Fatalf("clusterings of %v, want %v", sizes, want)
	}
	without := build(t, sample(400), Options{Table: tableOf(t), Clusters: -1})
	if without.Digest() != c.Digest() {
		t.Error("clusters change the digest of what a claim rests on")
	}
	for _, size := range sizes {
		stored, err := c.Clusters(t.Context(), size)
		if err != nil {
			t.Fatal(err)
		}
		computed, err := without.Clusters(t.Context(), size)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(stored.centres, computed.centres) || !slices.Equal(stored.of, computed.of) {
			t.Errorf("other clusters are stored than are computed for %d", size)
		}
		if !slices.Equal(stored.Centre(nil, size-1), stored.centres[(size-1)*c.Dim():]) {
			t.Error("the last centre is another one")
		}
	}
	for n, want := range map[int][]int{1: {1}, 3: {1}, 79: {9}, 80: {10}, 159: {10}, 160: {10, 20}, 5230: {10, 20, 40, 80, 160, 320, 640}} {
		if got := ClusterSizes(n); !slices.Equal(got, want) {
			t.Errorf("%d texts have clusterings of %v, want %v", n, got, want)
		}
	}
	if got := ClusterSizes(10_000_000); got[len(got)-1] != mostSize {
		t.Errorf("the largest clustering has %d", got[len(got)-1])
	}
}

func TestClusters(t *testing.T) {
	c := build(t, sample(400), Options{Table: tableOf(t), Clusters: 12})
	stored, err := c.Clusters(context.Background(), 12)
	if err != nil {
		t.Fatal(err)
	}
	without := build(t, sample(400), Options{Table: tableOf(t), Clusters: -1})
	if without.Digest() != c.Digest() || without.Card().Clusters != 0 {
		t.Error("clusters change the digest of what a claim rests on")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		computed, err := without.Clusters(context.Background(), 12)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(computed.of, stored.of) || !slices.Equal(computed.centres, stored.centres) {
			t.Errorf("%d processors compute other clusters than those stored", processors)
		}
	}
	sizes := make([]int, 12)
	mixed := 0
	topic := map[[2]int]int{}
	for i := range c.Len() {
		if got := stored.Assign(nil, c.Vector(nil, i)); int(got[0]) != stored.Of(i) {
			t.Fatalf("text %d is in cluster %d, its nearest centre is %d", i, stored.Of(i), got[0])
		}
		sizes[stored.Of(i)]++
		for j, word := range []string{"parcel", "hospital", "goal", "server"} {
			if strings.Contains(c.Text(i), word) {
				topic[[2]int{stored.Of(i), j}]++
				mixed++
			}
		}
	}
	pure := 0
	for cluster := range 12 {
		pure += max(topic[[2]int{cluster, 0}], topic[[2]int{cluster, 1}], topic[[2]int{cluster, 2}], topic[[2]int{cluster, 3}])
	}
	if slices.Min(sizes) == 0 || float64(pure) < 0.9*float64(mixed) {
		t.Errorf("sizes %v; %d of %d texts are with their topic", sizes, pure, mixed)
	}
	for _, count := range []int{0, c.Len() + 1} {
		if _, err := c.Clusters(context.Background(), count); err == nil {
			t.Errorf("%d clusters are made", count)
		}
	}
	if k, err := without.Clusters(context.Background(), without.Len()); err != nil || k.Len() != without.Len() {
		t.Errorf("as many clusters as texts: %v", err)
	}
}
