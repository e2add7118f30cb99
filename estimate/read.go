package estimate

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// mostKept bounds the entries kept in memory, 8 bytes each: 512 MiB.
const mostKept = 64 << 20

// readRows reads every row of a channel once. twins[x] numbers the class of words
// whose rows equal that of x, by the first of them.
func readRows(ctx context.Context, c mechanism.Channel, n, kept int, report progress.Func) (r *rows, twins []embedding.ID, err error) {
	r = &rows{base: make([]float64, n), near: make([]near, n), exact: true}
	most := n
	if fullness(c, n)*float64(n) > float64(kept) {
		r.exact, most = false, max(1, kept/n)
	}
	prints := make([]uint64, n)
	err = eachRow(ctx, c, n, report, func() func(x int, weights []uint64) {
		var s rowScratch
		return func(x int, weights []uint64) {
			prints[x] = s.keep(r, x, weights, most)
		}
	})
	first := map[uint64]embedding.ID{}
	twins = make([]embedding.ID, n)
	for x, p := range prints {
		if _, ok := first[p]; !ok {
			first[p] = embedding.ID(x)
		}
		twins[x] = first[p]
	}
	return r, twins, err
}

// fullness estimates how many entries a row keeps, from rows spread over the table.
func fullness(c mechanism.Channel, n int) float64 {
	sample := min(n, 64)
	var weights []uint64
	var s rowScratch
	one := &rows{base: make([]float64, 1), near: make([]near, 1)}
	sum := 0
	for i := range sample {
		weights = c.Weights(weights[:0], embedding.ID(i*n/sample))
		s.keep(one, 0, weights, n)
		if one.near[0].set == nil { // a bitmap is small whatever it holds
			sum += one.near[0].entries()
		}
	}
	return float64(sum) / float64(sample)
}

// eachRow passes every row to a function that begin returns, one per goroutine, on
// all processors. It calls progress from one goroutine at a time.
func eachRow(ctx context.Context, c mechanism.Channel, n int, report progress.Func, begin func() func(x int, weights []uint64)) error {
	done := report.Counter(n)
	return parallel.BlockedBy(ctx, n, 16, func() func(ctx context.Context, from, to int) error {
		take := begin()
		var weights []uint64
		return func(ctx context.Context, from, to int) error {
			prepareSets(ctx, c, from, to)
			for x := from; x < to; x++ {
				weights = c.Weights(weights[:0], embedding.ID(x))
				take(x, weights)
			}
			done.Add(to - from)
			return nil
		}
	})
}

// prepareSets computes the sets of a block of words together, if the channel has sets.
func prepareSets(ctx context.Context, c mechanism.Channel, from, to int) {
	l, ok := c.(shortcut.Levelled)
	if !ok {
		return
	}
	xs := make([]embedding.ID, 0, to-from)
	for x := from; x < to; x++ {
		xs = append(xs, embedding.ID(x))
	}
	shortcut.PrepareSets(ctx, l, xs)
}

// rowScratch is the working memory in which one row is read.
type rowScratch struct {
	at  []uint32
	bin [512]int32
}

// keep stores row x, its most differing outputs at most, and returns a
// fingerprint of the row: equal rows have equal ones, and others differ except
// with probability 2^-64 per pair.
func (s *rowScratch) keep(r *rows, x int, weights []uint64, most int) uint64 {
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	base := commonWeight(weights)
	s.at = s.at[:0]
	print := mix(mix(0, math.Float64bits(float64(base)/float64(total))), uint64(len(weights)))
	level, levels := uint64(0), 0
	for y, w := range weights {
		if w == base {
			continue
		}
		s.at = append(s.at, uint32(y))
		print = mix(mix(print, uint64(y)), math.Float64bits(float64(w)/float64(total)))
		if levels == 0 || w != level {
			level, levels = w, levels+1
		}
	}
	even := float64(base) / float64(total) // what every output has
	if len(s.at) > most {
		even = s.heaviest(weights, total, most)
		levels = 2
	}
	r.base[x], r.near[x] = even, near{}
	n := &r.near[x]
	switch {
	case len(s.at) == 0:
	case levels == 1:
		n.level = (float64(level) - float64(base)) / float64(total)
		if words := (len(weights) + 63) / 64; len(s.at) > 8*words {
			n.set = make([]uint64, words)
			for _, y := range s.at {
				n.set[y/64] |= 1 << (y % 64)
			}
			return print
		}
		n.at = slices.Clone(s.at)
	default:
		n.at, n.more = slices.Clone(s.at), make([]float32, len(s.at))
		for i, y := range s.at {
			n.more[i] = float32(float64(weights[y])/float64(total) - even)
		}
	}
	return print
}

// heaviest leaves in s.at the outputs of the heaviest weights, at most most of
// them, and returns the mean probability of the others. Weights are compared to
// within an eighth of a power of two.
func (s *rowScratch) heaviest(weights []uint64, total uint64, most int) float64 {
	s.bin = [512]int32{}
	for _, w := range weights {
		s.bin[binOf(w)]++
	}
	from, kept := len(s.bin), 0
	for from > 0 && kept+int(s.bin[from-1]) <= most {
		from--
		kept += int(s.bin[from])
	}
	s.at = s.at[:0]
	rest := uint64(0)
	for y, w := range weights {
		if binOf(w) >= from {
			s.at = append(s.at, uint32(y))
		} else {
			rest += w
		}
	}
	return float64(rest) / float64(total) / float64(max(1, len(weights)-len(s.at)))
}

// binOf orders weights by their length in bits and the three bits after the first.
func binOf(w uint64) int {
	n := bits.Len64(w)
	return 8*max(n-1, 0) + int(w<<(64-n)>>60&7)
}

// commonWeight returns the weight of more than half of the outputs, or the least
// weight if there is none.
func commonWeight(weights []uint64) uint64 {
	var candidate, least uint64 = 0, math.MaxUint64
	lead := 0
	for _, w := range weights { // Boyer and Moore's majority vote
		least = min(least, w)
		switch {
		case lead == 0:
			candidate, lead = w, 1
		case w == candidate:
			lead++
		default:
			lead--
		}
	}
	count := 0
	for _, w := range weights {
		if w == candidate {
			count++
		}
	}
	if 2*count > len(weights) {
		return candidate
	}
	return least
}

// mix returns one round of a multiply-and-fold hash.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^v^0x9e3779b97f4a7c15, 0xd1342543de82ef95)
	return hi ^ lo
}
