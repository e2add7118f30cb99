// Package estimate counts words in private text. The channel that wrote the text is public,
// so the observed counts can be corrected for it.
//
// # Model
//
// An original text has f(x) tokens of each word x, and N tokens in total. Every token was
// replaced by one independent draw from P(.|x). Only the counts n(y) of the outputs in the
// private text are used, and E n = P'f. For a word w let g be a vector with P g = e_w (the
// w-th row of a left inverse of P'). Then g'n is an unbiased estimate of f(w), whatever f
// is, with variance
//
//	sum over x of f(x) Var(g(Y), Y ~ P(.|x)) = sum over y of g(y)^2 E n(y) - f(w),
//
// which is estimated without bias by sum g(y)^2 n(y) - g'n. If P is invertible, there is
// one g per word. If it is not, some words may still have one. If P is invertible, no
// unbiased estimate has a smaller variance, because the estimate attains the Cramér-Rao
// bound.
//
// # Guarantee
//
// An interval uses the normal approximation. It is widened by half a step of g, because
// counts are whole numbers, and by the solver's residual: if P g - e_w is in [a, b], the
// mean of g'n is off by N a to N b. It covers f(w) with its confidence over the draws of
// the mechanism, for this text. It makes no statement about other texts of the same
// writers. The coverage is asymptotic in the counts.
//
// Estimates are post-processing of released text: they cost nothing beyond the release,
// and add no protection.
package estimate

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Estimator corrects counts for one channel. It is safe for concurrent use.
type Estimator struct {
	channel mechanism.Channel
	table   *embedding.Table
	rows    *rows
	twins   []embedding.ID // the first word with an equal row
	mean    []float64      // P(y) where all words are alike
	scale   []float64      // 1/sqrt(mean); 0 for outputs never drawn
	report  progress.Func

	steepOnce sync.Once
	steep     float64
}

// New reads the rows of a channel over a table: for each input P(.|x), at most 64
// million entries of which are stored (512 MiB). Reading is most of the work. It
// calls report, which may be nil.
func New(ctx context.Context, c mechanism.Channel, table *embedding.Table, report progress.Func) (*Estimator, error) {
	return open(ctx, c, table, mostKept, report)
}

func open(ctx context.Context, c mechanism.Channel, table *embedding.Table, kept int, report progress.Func) (*Estimator, error) {
	e := &Estimator{channel: c, table: table, report: report}
	n := table.Len()
	var err error
	if e.rows, e.twins, err = readRows(ctx, c, n, kept, e.report.Stage("reading the channel")); err != nil {
		return nil, err
	}
	alike, mean := make([]wide, n), make([]wide, n)
	for x := range alike {
		alike[x][0] = 1 / float64(n)
	}
	e.rows.backward(mean, alike)
	e.mean, e.scale = make([]float64, n), make([]float64, n)
	for y := range mean {
		// Differences are kept to 24 bits, so a column of zeros sums to about 2^-24
		// of what was taken off it: far below the mean of all.
		if m := mean[y][0]; m > 1e-9/float64(n) {
			e.mean[y], e.scale[y] = m, 1/math.Sqrt(m)
		}
	}
	return e, nil
}

// Query asks for counts of some words in some parts of a text.
type Query struct {
	// Parts holds observed counts of the outputs in each part: the whole text, the
	// texts of one class, and so on. Each has one entry per word of the table.
	Parts [][]int
	Words []embedding.ID
	// Confidence is the coverage of an interval, in (0, 1).
	Confidence float64
	// AllowBias chooses, for each word, the estimate whose interval, bias included,
	// is narrowest, instead of refusing words that have no unbiased one. The choice
	// depends on the channel and the number of tokens alone.
	AllowBias bool
}

// Count is the estimated count of one word in one part.
type Count struct {
	Word             embedding.ID
	Value, Low, High float64
	// Deviation is the estimated standard deviation of Value.
	Deviation float64
	// Bias bounds the bias of Value; the interval includes it. Estimates count as
	// unbiased if it is below a twentieth of a half-width.
	Bias float64
}

// check returns an error for a query that cannot be answered.
func (e *Estimator) check(q Query) error {
	if !(q.Confidence > 0 && q.Confidence < 1) {
		return privacy.Bad("estimate", "confidence", q.Confidence, "in (0, 1)")
	}
	for _, counts := range q.Parts {
		if err := e.checkCounts(counts); err != nil {
			return err
		}
	}
	return nil
}

func (e *Estimator) checkCounts(counts []int) error {
	if len(counts) != e.table.Len() {
		return privacy.Bad("estimate", "counts", len(counts), fmt.Sprintf("%d, one per word of the table", e.table.Len()))
	}
	for _, n := range counts {
		if n < 0 {
			return privacy.Bad("estimate", "count", n, "0 or more")
		}
	}
	return nil
}

// system returns the scaled matrix A = P C with C = diag(1/sqrt(mean)): least norm of
// h = C^-1 g is least variance for a text of all words alike.
func (e *Estimator) system() linear {
	n := e.table.Len()
	scaled := make([]wide, n)
	return linear{
		tall: n, broad: n,
		forward: func(dst, src []wide) {
			e.unscale(scaled, src)
			e.rows.forward(dst, scaled)
		},
		backward: func(dst, src []wide) {
			e.rows.backward(dst, src)
			e.unscale(dst, dst)
		},
	}
}

// unscale fills dst with C src: g for an h.
func (e *Estimator) unscale(dst, src []wide) {
	for y, c := range e.scale {
		for j, v := range src[y] {
			dst[y][j] = c * v
		}
	}
}
