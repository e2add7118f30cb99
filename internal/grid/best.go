package grid

import (
	"math"

	"github.com/sotto-dp/sotto/internal/simd/lower"
)

// best searches for the words nearest to one query, by exact sums.
type best struct {
	vectors *Vectors
	query   []float64 // in steps
	want    int       // 1 or 2 words
	have    int
	ids     [2]int
	sums    [2]float64 // in steps squared
}

// reach returns the greatest bound of a word that may be nearer than the kept ones.
//
// A word y with the exact sum D(y) has |q-y|^2 >= D(y)/(1+h), and the other way
// round, h = (dim+3) 2^-53 to first order; so where D(y) is at most the worst D
// kept, its bound L obeys 2 L <= D (1+2h) - |q|^2, and the computed |q|^2 is
// within h of its value.
func (b *best) reach(square float64) float64 {
	if b.have < b.want {
		return math.Inf(1)
	}
	h := float64(float64(b.vectors.dim+8) / (1 << 52)) // twice the h above
	return float64((float64(b.sums[b.want-1]*(1+h))-float64(square*(1-h)))/2) + lower.Tiny
}

// within offers the groups of words whose bounds are within reach of the kept ones.
func (b *best) within(p *lower.Panels, row lower.Row, square float64, words []int) []int {
	first := row.Least(-1)
	words = b.look(p, first, words)
	second := -1
	if b.want == 2 {
		if second = row.Least(first); second >= 0 {
			words = b.look(p, second, words)
		}
	}
	limit := func() float32 {
		if b.have < b.want {
			return math.MaxFloat32
		}
		return math.Nextafter32(float32(b.reach(square)), float32(math.Inf(1)))
	}
	reach := limit()
	for g := row.Next(0, reach); g >= 0; g = row.Next(g+1, reach) {
		if g != first && g != second {
			words = b.look(p, g, words)
			reach = limit()
		}
	}
	return words
}

// look offers the words of a group.
func (b *best) look(p *lower.Panels, group int, words []int) []int {
	words = p.Words(words[:0], group)
	for at := 0; at < len(words); at += 4 {
		b.offer(words[at:min(at+4, len(words))])
	}
	return words
}

// scan offers every word. It is the specification of the search.
func (b *best) scan() {
	for i := range b.vectors.n {
		b.offer([]int{i})
	}
}

// offer adds up to four words and keeps the nearest.
func (b *best) offer(ids []int) {
	var at [4]int
	for i := range at {
		at[i] = ids[min(i, len(ids)-1)]
	}
	var sums [4]float64
	if b.vectors.narrow != nil {
		sums = squares4(b.query, b.vectors.narrow, at)
	} else {
		sums = squares4(b.query, b.vectors.wide, at)
	}
	for i, id := range ids {
		b.insert(id, sums[i])
	}
}

// insert keeps a word if it is among the nearest, by sum, then by number.
func (b *best) insert(id int, sum float64) {
	slot := b.have
	for slot > 0 && (sum < b.sums[slot-1] || sum == b.sums[slot-1] && id < b.ids[slot-1]) {
		slot--
	}
	if slot >= b.want {
		return
	}
	if slot == 0 {
		b.ids[1], b.sums[1] = b.ids[0], b.sums[0]
	}
	b.ids[slot], b.sums[slot] = id, sum
	b.have = min(b.have+1, b.want)
}

func (b *best) two(unit float64) Two {
	if b.have == 1 {
		b.ids[1], b.sums[1] = b.ids[0], b.sums[0]
	}
	return Two{b.ids[0], b.ids[1], b.sums[0] * unit, b.sums[1] * unit}
}

// squares4 returns, for four rows of an n x len(q) grid, the sum of
// (q[k]-y[k])^2 in order of k. The conversions keep compilers from fusing the
// product into the sum, which would round differently.
func squares4[T int8 | float32](q []float64, grid []T, at [4]int) (sums [4]float64) {
	d := len(q)
	a, b, c, e := grid[at[0]*d:][:d], grid[at[1]*d:][:d], grid[at[2]*d:][:d], grid[at[3]*d:][:d]
	var s0, s1, s2, s3 float64
	for k, v := range q {
		x0, x1, x2, x3 := v-float64(a[k]), v-float64(b[k]), v-float64(c[k]), v-float64(e[k])
		s0 += float64(x0 * x0)
		s1 += float64(x1 * x1)
		s2 += float64(x2 * x2)
		s3 += float64(x3 * x3)
	}
	return [4]float64{s0, s1, s2, s3}
}

// Two holds the nearest and the second nearest vector to a query, with their
// squared distances in the unit of the queries.
type Two struct {
	First, Second               int
	FirstSquared, SecondSquared float64
}
