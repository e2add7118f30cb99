package sets

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/internal/shipped"
)

// MostCandidates bounds the number of candidate representatives, and of inputs
// over which the expected distance is averaged.
const MostCandidates = 128

// Representatives chooses outputs and k for the smallest expected distance. For each size
// of set it repeatedly removes the output whose removal costs least, and then improves the
// best result by exchanging, adding and removing single outputs. Candidates and inputs are
// all words, or MostCandidates spread over a longer table with the inputs between them;
// then all words as outputs are tried too. least(m) is the smallest k that m outputs may
// have.
func Representatives(ctx context.Context, table *embedding.Table, epsilon float64, least func(m int) int) (outputs []uint32, k int, err error) {
	n := table.Len()
	s, err := newOutputSearch(ctx, table, min(n, MostCandidates), epsilon, n)
	if err != nil {
		return nil, 0, err
	}
	best := choice{cost: math.Inf(1)}
	size := len(s.candidates)
	for k := 1; k <= size; k += 1 + k/12 {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if found := s.eliminate(k, least); found.cost < best.cost {
			best = found
		}
	}
	if best.in != nil {
		if best, err = s.exchange(ctx, best, least); err != nil {
			return nil, 0, err
		}
		for i, in := range best.in {
			if in {
				outputs = append(outputs, uint32(s.candidates[i]))
			}
		}
	}
	if size < n {
		curve := s.curve
		for curve[0].K < least(n) {
			curve = curve[1:]
		}
		if at, cost := leastDistance(curve, n, epsilon); cost <= best.cost {
			return FirstOf(n), at, nil
		}
	}
	return outputs, best.k, nil
}

// outputSearch holds what a search for outputs needs: distances from inputs to
// candidates and, for each input, the candidates by distance and their ranks.
type outputSearch struct {
	candidates []embedding.ID
	distance   [][]float64
	order      [][]int32
	rank       [][]int32
	lift       float64         // e^epsilon - 1
	curve      []shipped.Point // of the inputs, with all words as outputs
}

// choice is a set of outputs, its size, and k.
type choice struct {
	in   []bool
	m, k int
	cost float64
}

func newOutputSearch(ctx context.Context, table *embedding.Table, size int, epsilon float64, n int) (*outputSearch, error) {
	s := &outputSearch{lift: math.Expm1(epsilon), curve: newCurve(n)}
	for i := range size {
		s.candidates = append(s.candidates, embedding.ID(i*n/size))
	}
	row := make([]float64, n)
	for i := range size {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := embedding.ID((2*i + 1) * n / (2 * size)) // i where all words are inputs
		table.SquaredDistances(row, []embedding.ID{x}, 0, n)
		d := make([]float64, size)
		order, rank := make([]int32, size), make([]int32, size)
		for i, y := range s.candidates {
			d[i] = table.Step() * math.Sqrt(row[y])
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int {
			switch {
			case d[a] < d[b]:
				return -1
			case d[a] > d[b]:
				return 1
			}
			return 0
		})
		for r, y := range order {
			rank[y] = int32(r)
		}
		s.distance, s.order, s.rank = append(s.distance, d), append(s.order, order), append(s.rank, rank)
		if size == n {
			continue
		}
		slices.Sort(row)
		sum, j := 0.0, 0
		for c, p := range s.curve {
			for ; j < p.K; j++ {
				sum += float64(table.Step() * math.Sqrt(row[j]))
			}
			s.curve[c].Mean += sum / float64(p.K) / float64(size)
		}
	}
	return s, nil
}

// cost returns the expected distance where near and all are sums, over the inputs, of the distances to their sets and to all m outputs.
func (s *outputSearch) cost(near, all float64, k, m int) float64 {
	return (float64(s.lift*near) + all) / (float64(s.lift*float64(k)) + float64(m)) / float64(len(s.candidates))
}

// sums returns the sums of one choice, and writes the ranks of the last output
// of each input's set and of the next output (len(s.candidates) if there is
// none).
func (s *outputSearch) sums(in []bool, k int, last, next []int32) (near, all float64) {
	for x, order := range s.order {
		count := 0
		last[x], next[x] = -1, int32(len(order))
		for r, y := range order {
			if !in[y] {
				continue
			}
			d := s.distance[x][y]
			all += d
			if count++; count <= k {
				near += d
				last[x] = int32(r)
			} else if count == k+1 {
				next[x] = int32(r)
			}
		}
	}
	return near, all
}

// eliminate removes outputs one by one and returns the best choice it found.
func (s *outputSearch) eliminate(k int, least func(m int) int) choice {
	size := len(s.candidates)
	in := slices.Repeat([]bool{true}, size)
	last, next := make([]int32, size), make([]int32, size)
	best := choice{cost: math.Inf(1)}
	gain, share := make([]float64, size), make([]float64, size)
	for m := size; ; m-- {
		near, all := s.sums(in, k, last, next)
		if cost := s.cost(near, all, k, m); cost < best.cost && k >= least(m) {
			best = choice{slices.Clone(in), m, k, cost}
		}
		if m == k {
			return best
		}
		// The decrease of near and all without y.
		clear(gain)
		clear(share)
		for x := range size {
			instead := s.distance[x][s.order[x][next[x]]]
			for y, d := range s.distance[x] {
				share[y] += d
				if s.rank[x][y] <= last[x] {
					gain[y] += d - instead
				}
			}
		}
		drop, lowest := -1, math.Inf(1)
		for y := range size {
			if in[y] {
				if cost := s.cost(near-gain[y], all-share[y], k, m-1); cost < lowest {
					drop, lowest = y, cost
				}
			}
		}
		in[drop] = false
	}
}

// exchange improves a choice by single steps while they help, at most as many as
// there are candidates.
func (s *outputSearch) exchange(ctx context.Context, c choice, least func(m int) int) (choice, error) {
	size := len(s.candidates)
	last, next := make([]int32, size), make([]int32, size)
	in := slices.Clone(c.in)
	try := func(k, m int) choice {
		if k < 1 || k > m || k < least(m) {
			return choice{cost: math.Inf(1)}
		}
		near, all := s.sums(in, k, last, next)
		return choice{nil, m, k, s.cost(near, all, k, m)}
	}
	for range size {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		best := c
		keep := func(found choice) {
			if found.cost < best.cost*(1-1e-12) {
				best = found
				best.in = slices.Clone(in)
			}
		}
		keep(try(c.k-1, c.m))
		keep(try(c.k+1, c.m))
		for y := range size { // add or remove y
			in[y] = !in[y]
			m := c.m + 1
			if c.in[y] {
				m = c.m - 1
			}
			for k := c.k - 1; k <= c.k+1; k++ {
				keep(try(k, m))
			}
			in[y] = !in[y]
		}
		if size <= 64 {
			for y := range size {
				for z := range size {
					if in[y] && !in[z] {
						in[y], in[z] = false, true
						keep(try(c.k, c.m))
						in[y], in[z] = true, false
					}
				}
			}
		}
		if best.cost >= c.cost {
			return c, nil
		}
		c = best
		copy(in, c.in)
	}
	return c, nil
}
