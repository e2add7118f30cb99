package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
	"github.com/sotto-dp/sotto/internal/stage"
)

// spread returns n vectors of dim integers of very different sizes, with zero and equal
// vectors among them.
func spread(r *rand.Rand, n, dim int) *Vectors {
	vectors := make([]float32, n*dim)
	for i := range n {
		size := math.Ldexp(1, r.IntN(22))
		if i%3 > 0 {
			size = 1 << 18
		}
		for k := range dim {
			vectors[i*dim+k] = float32(math.Round(max(-1<<21, min(1<<21, size*r.NormFloat64()))))
		}
		if i%50 == 1 {
			copy(vectors[i*dim:], vectors[:dim])
		}
		if i%50 == 2 {
			clear(vectors[i*dim : (i+1)*dim])
		}
	}
	return New(vectors, dim, 1)
}

// small returns n vectors of int8.
func small(r *rand.Rand, n, dim int) *Vectors {
	vectors := make([]int8, n*dim)
	for i := range vectors {
		vectors[i] = int8(r.IntN(256) - 128)
	}
	return New(vectors, dim, 1)
}

// score returns the score of vector i, and how far from its real number it may be.
func (v *Vectors) score(i int, x []float64) (score, off float64) {
	for k, q := range x {
		y := v.component(i, k)
		score += y*y/2 - q*y
		off += y*y/2 + math.Abs(q*y)
	}
	return score, off * float64(len(x)+4) * 0x1p-52
}

// The score of every vector is within its bounds. If it is within reach, the maximum of its
// lane is above the limit of its span.
func TestFirstPassMissesNoVectorWithinReach(t *testing.T) {
	stage.Unraced(t)
	r := rand.New(rand.NewPCG(1, 1))
	for _, dim := range []int{1, 2, 7, 50, 300, 1024} {
		for _, v := range []*Vectors{spread(r, 1300, dim), small(r, 1300, dim)} {
			table, x, query := v.rounded(), make([]float64, dim), make([]float32, dim)
			var f firstPass
			f.reset(table, 1)
			for trial := range 12 {
				square, size := 0.0, math.Ldexp(1, 3*trial-8)
				for k := range x {
					query[k] = float32(size*r.NormFloat64() + float64(trial%2)*v.component(trial, k))
					x[k] = float64(query[k])
					square += x[k] * x[k]
				}
				f.take(table, 0, 0, query, 1)
				f.run(table, 1, 1)
				q, row := &f.queries[0], f.small[:table.stride]
				products, scores := make([]int32, len(table.places)), make([]float64, len(table.places))
				for i := range products {
					for k, m := range table.rows[i*table.stride:][:table.stride] {
						products[i] += int32(row[k]) * int32(m)
					}
					var off float64
					p := &table.places[i]
					scores[i], off = v.score(int(p.word), x)
					if low, high := q.bounds(p, products[i]); !(low <= scores[i]+off && scores[i]-off <= high) {
						t.Fatalf("%d dimensions: a score of %g is outside of [%g, %g]", dim, scores[i], low, high)
					}
				}
				reaches := append([]float64{0, 1, -1, square, -square}, slices.Repeat([]float64{0}, 20)...)
				for i := range 20 {
					reaches[5+i] = scores[r.IntN(len(scores))]
				}
				for _, reach := range reaches {
					q.reach = reach
					q.limits(f.limits, table)
					for i, product := range products {
						most, limit := f.maxima[i/4], f.limits[i/spanWords]
						if low, _ := q.bounds(&table.places[i], product); low <= reach && most <= limit {
							t.Fatalf("%d dimensions: a vector with the bound %g is within %g, the maximum of its lane, %d, is not above the limit %d", dim, low, reach, most, limit)
						}
					}
				}
			}
		}
	}
}

// Vectors far apart are told apart by int8; vectors that are not are left to float32.
func TestFirstPassLeavesQueriesWithManyCandidates(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		if !hasFirstPass() {
			t.Skip("this level has no first pass")
		}
		const n, dim, queries = 3000, 40, 20
		r := rand.New(rand.NewPCG(2, 1))
		far, near := spread(r, n, dim), make([]float32, n*dim)
		for i := range near {
			near[i] = float32(1<<20 + r.IntN(5))
		}
		for _, c := range []struct {
			v    *Vectors
			want int
		}{{far, 0}, {New(near, dim, 1), queries}} {
			xs := make([]float32, queries*dim)
			for i := range xs {
				xs[i] = float32(r.NormFloat64() * 1e6)
			}
			var s Scratch
			found := make([]Two, queries)
			c.v.search(found, xs, &s, 2)
			if len(s.left) != c.want {
				t.Errorf("%d queries are left, want %d", len(s.left), c.want)
			}
		}
	})
}

// A query that no bound holds for is compared with every vector.
func TestNearestTakesQueriesThatAreNotFinite(t *testing.T) {
	const n, dim = 600, 3
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	queries := []float32{inf, 0, 0, nan, 1, 2, 0, 0, 0, 1, 2, -inf, 3, 4, 5}
	var want string
	for _, level := range slices.Backward(simdtest.Levels()) {
		t.Run(level.String(), func(t *testing.T) {
			simdtest.At(t, level)
			v := small(rand.New(rand.NewPCG(3, 1)), n, dim)
			found := make([]uint32, len(queries)/dim)
			Nearest(v, found, queries, new(Scratch))
			if got := fmt.Sprint(found); want == "" {
				want = got
			} else if got != want {
				t.Errorf("found %s, the level before found %s", got, want)
			}
			if found[1] != 0 {
				t.Errorf("the nearest to a NaN is vector %d, want the first", found[1])
			}
		})
	}
}
