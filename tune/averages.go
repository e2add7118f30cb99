// Package tune helps to choose a parameter: it computes the effect of a configured
// mechanism on words and on an attacker's success, and searches for the parameter that
// meets a target. All figures are of public data, so choosing by them costs no epsilon.
package tune

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/progress"
)

// Averages are figures of a channel over all words of its table, equally
// likely. They are exact up to the rounding of float64.
type Averages struct {
	Unchanged        float64 // chance that a word stays
	ExpectedDistance float64 // mean distance of output and input
	AttackSuccess    float64 // Bayes success: the best guess of the input from the output
	Support          float64 // share of words that can be an output of some input
	DistinctOutputs  float64 // mean number of distinct outputs in 100 draws
}

// Measure computes the figures of a channel: in closed form where its rows have
// two levels, else by visiting every entry. report, if not nil, is called
// with the number of rows done, from one goroutine at a time.
func Measure(ctx context.Context, c mechanism.Channel, table *embedding.Table, report progress.Func) (Averages, error) {
	if l, ok := c.(shortcut.Levelled); ok {
		return measureLevels(ctx, l, table.Len(), report)
	}
	return measure(ctx, c, table, 1, report)
}

// measureLevels computes the figures from the two chances and two mean
// distances. Each output is in the set of some word, its own, so no guess of it
// succeeds more often than that word is kept.
func measureLevels(ctx context.Context, c shortcut.Levelled, words int, report progress.Func) (Averages, error) {
	l := c.Levels()
	set, any, err := c.MeanDistances(ctx, report)
	share := float64(l.Outputs) / float64(words)
	k, m := float64(l.Size), float64(l.Outputs)
	return Averages{
		Unchanged:        share * l.Inside,
		AttackSuccess:    share * l.Inside,
		Support:          share,
		ExpectedDistance: float64(k*(l.Inside-l.Outside)*set) + float64(m*l.Outside*any),
		DistinctOutputs:  float64(k*met(l.Inside)) + float64((m-k)*met(l.Outside)),
	}, err
}

// measure visits the row of every every-th word. AttackSuccess and Support,
// which are maxima over columns, are meaningful only if every is 1.
func measure(ctx context.Context, c mechanism.Channel, table *embedding.Table, every int, report progress.Func) (Averages, error) {
	n := table.Len()
	inputs := (n + every - 1) / every
	const block = 16                                    // rows that are computed together
	partial := make([]Averages, (inputs+block-1)/block) // by block: their order of adding is fixed
	var largest [][]float64                             // of each column: max over inputs of P(y|x)
	done := report.Counter(inputs)
	err := parallel.BlockedBy(ctx, inputs, block, func() func(ctx context.Context, from, to int) error {
		most := make([]float64, n)
		largest = append(largest, most)
		take := rowsOf(c, table)
		var xs []embedding.ID
		return func(_ context.Context, from, to int) error {
			xs = xs[:0]
			for i := from; i < to; i++ {
				xs = append(xs, embedding.ID(i*every))
			}
			take(&partial[from/block], xs, most)
			done.Add(len(xs))
			return nil
		}
	})
	if err != nil {
		return Averages{}, err
	}
	var f Averages
	for _, p := range partial {
		f.Unchanged += p.Unchanged / float64(inputs)
		f.ExpectedDistance += p.ExpectedDistance / float64(inputs)
		f.DistinctOutputs += p.DistinctOutputs / float64(inputs)
	}
	for y := range n {
		best := 0.0
		for w := range largest {
			best = max(best, largest[w][y])
		}
		f.AttackSuccess += best / float64(n)
		if best > 0 {
			f.Support += 1 / float64(n)
		}
	}
	return f, nil
}

// distinctDraws is the number of draws that DistinctOutputs counts over.
const distinctDraws = 100

// met returns the chance 1 - (1-p)^100 that an output comes up in 100 draws, to 1e-13:
// eight products cost less than an exponential.
func met(p float64) float64 {
	q4 := (1 - p) * (1 - p)
	q4 *= q4
	q32 := q4 * q4
	q32 *= q32
	q32 *= q32
	return 1 - float64(q32*q32*q32*q4)
}

// rowsOf returns a function that adds the rows of some inputs to figures and to the largest
// chance of each column. It is for one goroutine.
func rowsOf(c mechanism.Channel, table *embedding.Table) func(f *Averages, xs []embedding.ID, most []float64) {
	n := table.Len()
	if s, ok := c.(shortcut.Symmetric); ok && s.Symmetric() {
		var rows shortcut.SquaredRows
		return func(f *Averages, xs []embedding.ID, most []float64) {
			s.SquaredRows(&rows, xs)
			for i, x := range xs {
				addRow(f, rows.Weights[i*n:(i+1)*n], rows.Totals[i], rows.Squares[i*n:(i+1)*n], table.Step(), int(x), most)
			}
		}
	}
	var weights []uint64
	var squares []float64
	return func(f *Averages, xs []embedding.ID, most []float64) {
		squares = scratch.Resize(squares, len(xs)*n)
		table.SquaredDistances(squares, xs, 0, n)
		weights = shortcut.AppendRows(weights[:0], c, xs)
		for i, x := range xs {
			row := weights[i*n : (i+1)*n]
			sum := uint64(0) // below 2^63
			for _, w := range row {
				sum += w
			}
			addRow(f, row, sum, squares[i*n:(i+1)*n], table.Step(), int(x), most)
		}
	}
}

// addRow adds one row of weights that sum to total: a pass with few operations for all entries,
// and the rest for the few that weigh.
func addRow[T uint32 | float64](f *Averages, weights []uint64, total uint64, squares []T, step float64, x int, largest []float64) {
	each := 1 / float64(total)
	moved, first, second, third, fourth := 0.0, 0.0, 0.0, 0.0, 0.0
	squares, largest = squares[:len(weights)], largest[:len(weights)]
	for y, w := range weights {
		p := float64(float64(int64(w)) * each)
		moved += float64(p * math.Sqrt(float64(squares[y])))
		if p > largest[y] {
			largest[y] = p
		}
		if p < 1e-4 {
			// 1 - (1-p)^n = n p - n(n-1)/2 p^2 + n(n-1)(n-2)/6 p^3 - ..., to nine digits.
			square := float64(p * p)
			first, second, third, fourth = first+p, second+square, third+float64(square*p), fourth+float64(square*square)
			continue
		}
		f.DistinctOutputs += met(p)
	}
	const n = distinctDraws
	f.DistinctOutputs += float64(n*first) - float64(n*(n-1)/2*second) + float64(n*(n-1)*(n-2)/6*third) - float64(n*(n-1)*(n-2)*(n-3)/24*fourth)
	f.ExpectedDistance += float64(step * moved)
	f.Unchanged += float64(float64(weights[x]) * each)
}
