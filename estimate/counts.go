package estimate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/gather"
)

// Estimate answers a query: result[i][j] is for part i and word j. It returns an
// *InseparableError for words whose counts have no unbiased estimate that the solver
// can find, unless the query allows bias.
func (e *Estimator) Estimate(ctx context.Context, q Query) ([][]Count, error) {
	if err := e.check(q); err != nil {
		return nil, err
	}
	if !q.AllowBias {
		for _, x := range q.Words {
			if err := e.alone(x); err != nil {
				return nil, err
			}
		}
	}
	w := widths{z: math.Sqrt2 * math.Erfinv(q.Confidence)}
	result := make([][]Count, len(q.Parts))
	for i, counts := range q.Parts {
		w.tokens = max(w.tokens, float64(total(counts)))
		result[i] = make([]Count, len(q.Words))
	}
	done := e.report.Stage("solving for words").Counter(len(q.Words))
	take := func(at int, f *functionals) error {
		for j := range f.words {
			if err := e.separable(f, j, w, q.AllowBias); err != nil {
				return err
			}
			for i, counts := range q.Parts {
				result[i][at+j] = f.moments(j, counts).count(f.words[j], w.z, q.AllowBias)
			}
		}
		done.Add(len(f.words))
		return nil
	}
	if !e.rows.exact {
		return result, e.refineAll(ctx, q, w, take)
	}
	err := parallel.Blocked(ctx, len(q.Words), gather.Width, func(ctx context.Context, from, to int) error {
		f, err := e.solveWords(ctx, q.Words[from:to], w, q.AllowBias)
		if err != nil {
			return err
		}
		return take(from, f)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

func total(counts []int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// moments holds what an interval needs from functional j and observed counts.
type moments struct {
	tokens, value float64 // sums of n and of g n
	square        float64 // sum of g^2 n
	up, down      float64 // the largest g and -g, or 0
	low, high     float64 // of P g - e_w, and 0
}

func (f *functionals) moments(j int, counts []int) (m moments) {
	for y, n := range counts {
		g := f.g[y][j]
		m.up, m.down = max(m.up, g), max(m.down, -g)
		m.tokens += float64(n)
		m.value += g * float64(n)
		m.square += g * g * float64(n)
	}
	for x := range f.off {
		m.low, m.high = min(m.low, f.off[x][j]), max(m.high, f.off[x][j])
	}
	return m
}

// count returns the estimate with its interval. If bias is allowed, both are clipped
// to [0, tokens], the range of every true count.
func (m moments) count(w embedding.ID, z float64, biased bool) Count {
	// The variance is sum g^2 E n less the sum of f(x) (mean of g under P(.|x))^2.
	// That sum is f(w) where there is no bias; with bias it is at least the square of
	// E g'n over the tokens (Jensen).
	variance := m.square - m.value
	if biased && m.tokens > 0 {
		variance = m.square - m.value*m.value/m.tokens
	}
	c := Count{Word: w, Value: m.value, Deviation: math.Sqrt(max(0, variance)), Bias: m.tokens * max(m.high, -m.low)}
	c.Low = c.Value - reach(z, c.Deviation, m.down, m.up) - m.tokens*m.high
	c.High = c.Value + reach(z, c.Deviation, m.up, m.down) - m.tokens*m.low
	if biased {
		c.Value = min(max(c.Value, 0), m.tokens)
		c.Low, c.High = min(max(c.Low, 0), m.tokens), max(min(c.High, m.tokens), 0)
	}
	return c
}

// reach returns how far from an estimate its true count may be on one side. Draws of weight
// missing would bring the estimate there, and draws of weight excess would bring it back.
//
// Where few draws of the word are expected, none may have come, and then the estimated variance
// is next to 0 too. So the variance is that of the true count, which for each token of distance
// has missing more, less the token (the score interval: Wilson 1927). On the other side the
// variance is overestimated. A whole draw more or less, and the more the higher the confidence,
// covers the skewness.
func reach(z, deviation, missing, excess float64) float64 {
	few, draws := z*max(0, missing-1)/2, max(1, z*z/4)
	return max(missing*draws+z*few+z*math.Hypot(deviation, few), z*deviation+excess*draws)
}

// InseparableError reports that the channel gives no unbiased count of a word.
type InseparableError struct {
	Word string
	// Others are at most three words with which it is confused, the most similar first.
	Others []string
	// More is the number of further such words.
	More int
	// Same reports that the rows are equal: the words cannot be told apart.
	// Otherwise the channel is singular, or so nearly singular that the solver did
	// not converge.
	Same bool
}

func (e *InseparableError) Error() string {
	others := make([]string, len(e.Others))
	for i, w := range e.Others {
		others[i] = fmt.Sprintf("%q", w)
	}
	list := strings.Join(others, ", ")
	if e.More > 0 {
		list += fmt.Sprintf(" and %d more", e.More)
	}
	why := "its rows are nearly dependent"
	if e.Same {
		why = "their rows are equal"
	}
	return fmt.Sprintf("estimate: the channel cannot tell %q from %s: %s, so there is no unbiased count", e.Word, list, why)
}

// alone returns an error for a word whose row another word shares.
func (e *Estimator) alone(x embedding.ID) error {
	var same []embedding.ID
	for y, first := range e.twins {
		if first == e.twins[x] && y != int(x) {
			same = append(same, embedding.ID(y))
		}
	}
	if len(same) == 0 {
		return nil
	}
	return e.inseparable(x, same, true)
}

func (e *Estimator) inseparable(x embedding.ID, others []embedding.ID, same bool) error {
	const named = 3
	err := &InseparableError{Word: e.table.Word(x), Same: same, More: max(0, len(others)-named)}
	for _, y := range others[:min(named, len(others))] {
		err.Others = append(err.Others, e.table.Word(y))
	}
	return err
}

// separable returns an error if the residual of functional j is not negligible.
// It names the words that are mixed with its word.
func (e *Estimator) separable(f *functionals, j int, w widths, allowBias bool) error {
	if allowBias {
		return nil
	}
	worst := f.worst(j)
	if w.leftOver(worst, e.spread(f, j, w)) <= unbiased {
		return nil
	}
	var mixed []embedding.ID
	for x := range f.off {
		if embedding.ID(x) != f.words[j] && math.Abs(f.off[x][j]) >= worst/2 {
			mixed = append(mixed, embedding.ID(x))
		}
	}
	slices.SortStableFunc(mixed, func(a, b embedding.ID) int {
		switch d := math.Abs(f.off[b][j]) - math.Abs(f.off[a][j]); {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	})
	if len(mixed) == 0 { // the word itself is what is not reached
		for x := range f.off {
			if embedding.ID(x) != f.words[j] {
				mixed = append(mixed, embedding.ID(x))
			}
		}
	}
	return e.inseparable(f.words[j], mixed, false)
}
