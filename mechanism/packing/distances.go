package packing

import (
	"context"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
)

// distances is the table's metric between words with distinct vectors, in one
// matrix of float32 that holds the distances or a function of them. It is used
// only to find a channel: certificates use the table's integers.
type distances struct {
	table *embedding.Table
	// words are the first of each class of equal vectors, class the number in
	// words of every word of the table.
	words             []embedding.ID
	class             []uint32
	smallest, largest float64 // over pairs of classes, exact; +Inf and 0 for one class
	m                 []float32
	isPlain           bool // m holds the distances
}

func newDistances(table *embedding.Table) *distances {
	d := &distances{table: table, class: make([]uint32, table.Len()), smallest: math.Inf(1)}
	seen := map[string]uint32{}
	var vector []int64 // in steps: a float32 has neither all small components nor all large ones
	key := make([]byte, 4*table.Dim())
	for i := range table.Len() {
		vector = table.Steps(vector[:0], embedding.ID(i))
		for k, v := range vector {
			putUint32(key[4*k:], uint32(int32(v)))
		}
		c, ok := seen[string(key)]
		if !ok {
			c = uint32(len(d.words))
			seen[string(key)] = c
			d.words = append(d.words, embedding.ID(i))
		}
		d.class[i] = c
	}
	return d
}

func (d *distances) n() int { return len(d.words) }

func (d *distances) row(i int) []float32 { return d.m[i*d.n() : (i+1)*d.n()] }

// fill sets the matrix to f of the distances, and finds their range.
func (d *distances) fill(ctx context.Context, f func(float64) float32) error {
	n := d.n()
	if d.m == nil {
		d.m = make([]float32, n*n)
	}
	var mu sync.Mutex
	smallest, largest := math.Inf(1), 0.0
	err := channel.Each(ctx, n, func(is []embedding.ID, s *channel.Scratch) {
		xs := make([]embedding.ID, len(is))
		for k, i := range is {
			xs[k] = d.words[i]
		}
		all := d.table.Len()
		s.Wide = scratch.Resize(s.Wide, len(xs)*all)
		d.table.SquaredDistances(s.Wide, xs, 0, all)
		low, high := math.Inf(1), 0.0
		for k, i := range is {
			q, row := s.Wide[k*all:(k+1)*all], d.row(int(i))
			for j, y := range d.words {
				v := d.table.Step() * math.Sqrt(q[y])
				if v > 0 {
					low = min(low, v)
				}
				high = max(high, v)
				row[j] = f(v)
			}
		}
		mu.Lock()
		smallest, largest = min(smallest, low), max(largest, high)
		mu.Unlock()
	})
	d.smallest, d.largest = smallest, largest
	return err
}

// plain makes the matrix the distances themselves.
func (d *distances) plain(ctx context.Context) error {
	if d.isPlain {
		return nil
	}
	err := d.fill(ctx, func(v float64) float32 { return float32(v) })
	d.isPlain = err == nil
	return err
}

// kernel makes the matrix e^(-t d).
func (d *distances) kernel(ctx context.Context, t float64) error {
	d.isPlain = false
	return d.fill(ctx, func(v float64) float32 { return float32(math.Exp(-t * v)) })
}

// mean returns the mean of the plain distances.
func (d *distances) mean(ctx context.Context) float64 {
	sums := make([]float64, d.n())
	parallel.Indices(ctx, len(sums), func(x int) {
		for _, v := range d.row(x) {
			sums[x] += float64(v)
		}
	})
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total / float64(d.n()) / float64(d.n())
}

// rounding bounds the error of max over z of r d(z,y) - d(x,z) taken in float32,
// r at most 1: each distance, the factor, the product and the difference are
// rounded once, by at most 2^-24 of the largest distance, or by 2^-150 where the
// result is subnormal. It is +Inf where a distance may be beyond float32.
func (d *distances) rounding() float64 {
	if d.largest >= 0x1p126 {
		return math.Inf(1)
	}
	return 5 * (math.Ldexp(d.largest, -24) + 0x1p-149)
}

func putUint32(b []byte, v uint32) {
	_ = b[3]
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}
