package inner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// vectors draws n x dim components; with extreme ones the sums are as large as
// they can be.
func vectors(r *rand.Rand, n, dim int, extreme bool) []int8 {
	v := make([]int8, n*dim)
	for i := range v {
		v[i] = int8(r.IntN(255) - 127)
		if extreme {
			v[i] = int8(127 - 254*r.IntN(2))
		}
	}
	return v
}

func packed(rows []int8, dim int) []uint8 {
	data := NewBlocks(len(rows)/dim, dim)
	for i := range len(rows) / dim {
		Set(data, i, rows[i*dim:(i+1)*dim])
	}
	return data
}

func product(x, y []int8) (sum int32) {
	for k, v := range x {
		sum += int32(v) * int32(y[k])
	}
	return sum
}

func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			dim, n, queries := rapid.IntRange(1, 300).Draw(t, "dim"), rapid.IntRange(1, 70).Draw(t, "n"), rapid.IntRange(1, Group).Draw(t, "queries")
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			extreme := rapid.Bool().Draw(t, "extreme")
			rows, xs := vectors(r, n, dim, extreme), vectors(r, queries, dim, extreme)
			blocks := Blocks(n)
			width := blocks*Block + r.IntN(5)
			const guard = -77
			dst := make([]int32, (Group-1)*width+blocks*Block+3)
			for i := range dst {
				dst[i] = guard
			}
			over := make([]uint16, blocks*Group+1)
			over[blocks*Group] = 12345
			var limit [Group]int32
			for i := range limit {
				limit[i] = int32(r.IntN(20000) - 10000)
			}
			limit[0] = product(xs[:dim], rows[:dim]) // equal is not over
			var q Queries
			q.Pack(vectors(r, Group, dim+3, false), dim+3) // memory that was used
			q.Pack(xs, dim)
			q.Scores(dst, over, packed(rows, dim), &limit, blocks, width)
			back := make([]int8, dim)
			for x := range Group {
				for w := range width {
					at := x*width + w
					if at >= len(dst) {
						break
					}
					want := int32(0)
					switch {
					case w >= blocks*Block:
						want = guard
					case x < queries && w < n:
						Get(back, packed(rows, dim), w)
						want = product(xs[x*dim:(x+1)*dim], back)
					}
					if dst[at] != want {
						t.Fatalf("query %d, vector %d: %d, want %d", x, w, dst[at], want)
					}
					if w < blocks*Block && over[w/Block*Group+x]>>(w%Block)&1 == 1 != (want > limit[x]) {
						t.Fatalf("query %d, vector %d: score %d, limit %d, mask %b", x, w, want, limit[x], over[w/Block*Group+x])
					}
				}
			}
			for _, which := range [][]int{{n - 1, n / 2, 0}, eight(0), eight(n - Group), eight((n - Group) &^ (Group - 1))} {
				if slices.Min(which) < 0 || slices.Max(which) >= n {
					continue
				}
				var own Queries
				own.Load(packed(rows, dim), dim, which)
				var loaded []int8
				for _, i := range which {
					loaded = append(loaded, rows[i*dim:(i+1)*dim]...)
				}
				q.Pack(loaded, dim)
				if !slices.Equal(own.narrow, q.narrow) || own.bias != q.bias {
					t.Fatalf("vectors %d of a packed table are other queries than their rows", which)
				}
			}
			if over[blocks*Group] != 12345 {
				t.Fatal("masks beyond the last block are written")
			}
		})
	})
}

// Queries of groups are those that are loaded, and loading others changes no group.
func TestGroupsAreTheirVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, dim := range []int{1, 4, 300, 331} {
		data := packed(vectors(r, 40, dim, false), dim)
		which := r.Perm(40)[:19] // the last group has three
		groups := NewGroups(data, dim, which)
		for range 2 {
			for i := range 3 {
				some := which[i*Group : min((i+1)*Group, len(which))]
				var used, loaded Queries
				used.Use(groups, i)
				loaded.Load(data, dim, some)
				if !slices.Equal(used.narrow, loaded.narrow) || used.bias != loaded.bias {
					t.Fatalf("%d components: group %d is not of vectors %d", dim, i, some)
				}
				used.Load(data, dim, which[:2])
			}
		}
	}
}

func TestVectorsAreAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, dim := range []int{1, 3, 4, 300, 331} {
		rows := vectors(r, 20, dim, true)
		sums, want := make([]int64, dim), make([]int64, dim)
		for i := range 20 {
			sign := int64(1 - 2*(i%3/2))
			Add(sums, packed(rows, dim), i, sign)
			for k := range dim {
				want[k] += sign * int64(rows[i*dim+k])
			}
		}
		if !slices.Equal(sums, want) {
			t.Errorf("%d components: %d, want %d", dim, sums, want)
		}
	}
}

// eight returns Group numbers from one on.
func eight(from int) (which []int) {
	for i := range Group {
		which = append(which, from+i)
	}
	return which
}

func TestLargestSumsFit(t *testing.T) {
	for _, sign := range []int8{1, -1} {
		row := make([]int8, MaxDim)
		other := make([]int8, MaxDim)
		for i := range row {
			row[i], other[i] = 127, 127*sign
		}
		var limit [Group]int32
		simdtest.Each(t, func(t *testing.T) {
			var q Queries
			q.Pack(row, MaxDim)
			dst, over := make([]int32, Group*Block), make([]uint16, Group)
			q.Scores(dst, over, packed(other, MaxDim), &limit, 1, Block)
			if want := int64(MaxDim) * 127 * 127 * int64(sign); want > math.MaxInt32 || int64(dst[0]) != want {
				t.Errorf("%d, want %d", dst[0], want)
			}
		})
	}
}

func BenchmarkScores(b *testing.B) {
	const n = 1024
	for _, dim := range []int{100, 200, 384} {
		r := rand.New(rand.NewPCG(1, 1))
		data := packed(vectors(r, n, dim, false), dim)
		dst, over := make([]int32, Group*n), make([]uint16, Group*Blocks(n))
		limit := [Group]int32{1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30}
		for _, level := range simdtest.Levels() {
			b.Run(fmt.Sprintf("%s/%d", level, dim), func(b *testing.B) {
				simdtest.At(b, level)
				var q Queries
				q.Pack(vectors(r, Group, dim, false), dim)
				for b.Loop() {
					q.Scores(dst, over, data, &limit, Blocks(n), n)
				}
				b.ReportMetric(float64(b.N)*n*Group*float64(dim)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	const n, dim = 4096, 300
	data := packed(vectors(rand.New(rand.NewPCG(1, 1)), n, dim, false), dim)
	for name, step := range map[string]int{"half": 1, "scattered": 7} {
		b.Run(name, func(b *testing.B) {
			var q Queries
			var which [Group]int
			for i := 0; b.Loop(); i++ {
				for r := range which {
					which[r] = (i*Group + r*step) % n
				}
				q.Load(data, dim, which[:])
			}
		})
	}
}
