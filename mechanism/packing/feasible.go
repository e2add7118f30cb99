package packing

import (
	"cmp"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/rowops"
)

// feasible turns an approximate solution into a point with K a <= r and returns
// its value, or -1 for a point that breaks a cut: rows above r are mended by
// shrinking their largest contributors, what remains by scaling, and one sweep
// raises each coordinate, largest first, as far as the rows allow.
func (p *program) feasible(from []float32) ([]float32, float64) {
	a := slices.Clone(from)
	z := p.apply(a)
	shares := make([]share, p.n)
	p.mend(z, p.room, 1, 1e-3, func(x int) {
		excess := z[x] - p.room[x]
		top := heaviest(shares, p.row(x), a)
		sum := float32(0)
		for _, s := range top {
			sum += float32(s.weight * p.row(x)[s.at])
		}
		for _, s := range top {
			cut := min(1.02*excess*s.weight/sum, a[s.at])
			a[s.at] -= cut
			rowops.Axpy(z, -cut, p.row(s.at))
		}
	})
	z = p.apply(a)
	top := float32(0)
	for x, v := range z {
		top = max(top, v/p.room[x])
	}
	if top > 1 {
		scale := 1 / (top * (1 + 1e-6))
		for y := range a {
			a[y] *= scale
			z[y] *= scale
		}
	}
	room := z
	for x, v := range z {
		room[x] = max(0, p.room[x]-v)
	}
	order := make([]int, p.n)
	for y := range order {
		order[y] = y
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(a[j], a[i]) })
	for i, y := range order {
		if i%eachRows == 0 && p.ctx.Err() != nil {
			break
		}
		if p.worth[y] <= 0 {
			continue
		}
		if d := rowops.MinRatio(room, p.row(y)); d > 1e-6 {
			a[y] += d
			rowops.Axpy(room, -d, p.row(y))
		}
	}
	for j, g := range p.cuts {
		if rowops.DotPositive(g, a) < p.least[j]-closeToCut {
			return a, -1
		}
	}
	return a, p.value(a)
}

// mend calls fix for every row of z that is beyond its target (above for side 1,
// below for side -1) by more than the relative tolerance, worst first, in a few
// passes, since fixing one row mends others.
func (p *program) mend(z, target []float32, side, tolerance float32, fix func(x int)) {
	const passes = 12
	var wrong []int
	beyond := func(x int) float32 { return side * (z[x] - target[x]) }
	for range passes {
		wrong = wrong[:0]
		for x := range z {
			if beyond(x) > tolerance*target[x] {
				wrong = append(wrong, x)
			}
		}
		if len(wrong) == 0 {
			return
		}
		slices.SortFunc(wrong, func(i, j int) int { return cmp.Compare(beyond(j), beyond(i)) })
		for _, x := range wrong {
			if p.ctx.Err() != nil {
				return
			}
			if beyond(x) > tolerance*target[x] {
				fix(x)
			}
		}
	}
}

// share is one output's contribution to a row.
type share struct {
	at     int
	weight float32
}

// heaviest returns the 8 largest k[y] a[y].
func heaviest(scratch []share, k, a []float32) []share {
	const most = 8
	top := scratch[:0]
	least := float32(0)
	for y, v := range a {
		w := k[y] * v
		if w <= least {
			continue
		}
		top = append(top, share{y, w})
		if len(top) < 64 {
			continue
		}
		slices.SortFunc(top, func(s, t share) int { return cmp.Compare(t.weight, s.weight) })
		top = top[:most]
		least = top[most-1].weight
	}
	slices.SortFunc(top, func(s, t share) int { return cmp.Compare(t.weight, s.weight) })
	return top[:min(most, len(top))]
}

// upperBound returns (r'b - g'c)/n for a b and c with K b - G'c >= w, b, c >= 0,
// made from the multipliers: no a that the program allows has a larger value
// (weak duality). Rows that fall short are mended one by one, the rest by
// scaling, and one sweep lowers what can be lowered. The bound holds for K as
// stored; the sums are recomputed in float64 at the end.
func (p *program) upperBound(at iterate) float64 {
	b := slices.Clone(at.rows)
	q := p.apply(b)
	for j, g := range p.cuts {
		rowops.Axpy(q, -at.cuts[j], g)
	}
	p.mend(q, p.worth, -1, 2e-3, func(y int) {
		short := p.worth[y] - q[y]
		b[y] += short
		rowops.Axpy(q, short, p.row(y))
	})
	room := q
	for y := range q {
		room[y] = max(0, q[y]-p.worth[y])
	}
	order := make([]int, p.n)
	for y := range order {
		order[y] = y
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(b[i], b[j]) })
	for i, y := range order {
		if i%eachRows == 0 && p.ctx.Err() != nil {
			break
		}
		if b[y] == 0 {
			continue
		}
		if d := min(b[y], rowops.MinRatio(room, p.row(y))); d > 1e-7 {
			b[y] -= d
			rowops.Axpy(room, -d, p.row(y))
		}
	}
	// Exact enough to be a bound: float64 sums, and both parts scaled together
	// by the shortest row.
	least := make([]float64, p.n)
	parallel.Indices(p.ctx, p.n, func(y int) {
		sum := exactDot(p.row(y), b)
		for j, g := range p.cuts {
			sum -= float64(float64(g[y]) * float64(at.cuts[j]))
		}
		least[y] = sum
	})
	total := 0.0
	for x, v := range b {
		total += float64(float64(p.room[x]) * float64(v))
	}
	for j, c := range at.cuts {
		total -= float64(float64(p.least[j]) * float64(c))
	}
	shortest := math.Inf(1)
	for y, w := range p.worth {
		if w > 0 {
			shortest = min(shortest, least[y]/float64(w))
		}
	}
	if shortest <= 0 {
		return math.Inf(1)
	}
	const rounding = 1e-6 // of K's entries in float32
	return p.base + float64(total/shortest/float64(p.n)*(1+rounding))
}

// exactDot returns the sum of k[x] b[x], whose products are exact, in float64.
func exactDot(k, b []float32) float64 {
	b = b[:len(k)]
	var s0, s1, s2, s3 float64 // sums that do not wait for each other
	for len(k) >= 4 {
		s0 += float64(float64(k[0]) * float64(b[0]))
		s1 += float64(float64(k[1]) * float64(b[1]))
		s2 += float64(float64(k[2]) * float64(b[2]))
		s3 += float64(float64(k[3]) * float64(b[3]))
		k, b = k[4:], b[4:]
	}
	for x, v := range k {
		s0 += float64(float64(v) * float64(b[x]))
	}
	return (s0 + s1) + (s2 + s3)
}

func largestAt(v []float32) int {
	at := 0
	for i, x := range v {
		if x > v[at] {
			at = i
		}
	}
	return at
}
