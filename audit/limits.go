package audit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit/internal/tiles"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// UnchangedLimit returns the largest mean probability, uniform over vocabulary words, with
// which any word-level (epsilon, delta)-private mechanism leaves a word unchanged:
//
//	(e^epsilon + (V-1) delta) / (e^epsilon + V - 1).
//
// Randomised response that keeps the word with that probability attains it: each row's
// diagonal is at most e^epsilon times any other row's entry there plus delta, and each row
// sums to 1.
func UnchangedLimit(epsilon, delta float64, vocabulary int) (float64, error) {
	if err := checkLimit(epsilon, delta); err != nil {
		return 0, err
	}
	if vocabulary < 1 {
		return 0, privacy.Bad("limits", "vocabulary", vocabulary, "at least 1")
	}
	// Both sides divided by e^epsilon, which may not be representable.
	shrunk, others := math.Exp(-epsilon), float64(vocabulary-1)
	return min(1, (1+float64(others*delta*shrunk))/(1+float64(others*shrunk))), nil
}

func checkLimit(epsilon, delta float64) error {
	if !(epsilon >= 0) || math.IsInf(epsilon, 0) {
		return privacy.Bad("limits", "epsilon", epsilon, "0 or more and finite")
	}
	if !(delta >= 0 && delta <= 1) {
		return privacy.Bad("limits", "delta", delta, "in [0, 1]")
	}
	return nil
}

// UnchangedLimitFrequencies returns the limit for words that occur with the given shares,
// which must sum to 1. For delta = 0 it is the largest over k of e^epsilon P_k / (e^epsilon
// + k - 1), where P_k is the share of the k most common words. Randomised response over
// these words attains it. For delta > 0 it is min(1, e^epsilon max(share) + delta), which
// is valid but need not be attained.
func UnchangedLimitFrequencies(epsilon, delta float64, shares []float64) (float64, error) {
	if err := checkLimit(epsilon, delta); err != nil {
		return 0, err
	}
	if err := checkShares("limits", shares); err != nil {
		return 0, err
	}
	sorted := slices.Clone(shares)
	slices.SortFunc(sorted, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	shrunk, best, sum := math.Exp(-epsilon), 0.0, 0.0
	for i, share := range sorted {
		sum += share
		best = max(best, sum/(1+float64(float64(i)*shrunk)))
	}
	best = min(1, best)
	if delta == 0 {
		return best, nil
	}
	return min(1, float64(math.Exp(epsilon)*sorted[0])+delta), nil
}

// checkShares accepts non-negative numbers that sum to 1 within 1e-6.
func checkShares(who string, shares []float64) error {
	sum := 0.0
	for _, s := range shares {
		if !(s >= 0) || math.IsInf(s, 0) {
			return privacy.Bad(who, "frequency", s, "0 or more and finite")
		}
		sum += s
	}
	if math.Abs(sum-1) > 1e-6 {
		return privacy.Bad(who, "sum of frequencies", sum, "1")
	}
	return nil
}

// maxMetricWords is the largest table MetricUnchangedLimit takes: its kernel is
// kept whole.
const maxMetricWords = 10000

// MetricUnchangedLimit bounds the mean unchanged rate, uniform over the table's
// words, of any mechanism with metric privacy epsilon per unit of Euclidean
// distance. The diagonal a of such a channel obeys K a <= 1 with
// K_xy = e^(-epsilon d(x,y)); so every b >= 0 with K b >= 1 bounds the mean by
// (1/V) 1'b (linear programming duality). The b used comes from coordinate descent on 1/2
// b'Kb - 1'b over b >= 0. It is scaled so that K b >= 1 holds in floating point with a
// margin for rounding. The bound is valid but not always the tightest.
func MetricUnchangedLimit(ctx context.Context, epsilon float64, table *embedding.Table, report progress.Func) (float64, error) {
	limits, err := MetricUnchangedLimits(ctx, []float64{epsilon}, table, report)
	if err != nil {
		return 0, err
	}
	return limits[0], nil
}

// MetricUnchangedLimits is [MetricUnchangedLimit] for several epsilons.
func MetricUnchangedLimits(ctx context.Context, epsilons []float64, table *embedding.Table, report progress.Func) ([]float64, error) {
	for _, epsilon := range epsilons {
		if err := checkLimit(epsilon, 0); err != nil {
			return nil, err
		}
	}
	n := table.Len()
	if n > maxMetricWords {
		return nil, fmt.Errorf("limits: %d words, the metric limit takes at most %d", n, maxMetricWords)
	}
	k := kernel{n, tiles.New(n)}
	limits := make([]float64, len(epsilons))
	for i, epsilon := range epsilons {
		if err := k.fill(ctx, table, -epsilon*table.Step()); err != nil {
			return nil, err
		}
		var err error
		if limits[i], err = k.unchanged(ctx, func(done, of int) { report.At(i*of+done, len(epsilons)*of) }); err != nil {
			return nil, err
		}
	}
	return limits, nil
}

// kernel holds K_xy = e^(-epsilon d(x,y)).
type kernel struct {
	n       int
	entries *tiles.Matrix
}

// fill computes the entries e^(slope d) for distances d in steps.
func (k kernel) fill(ctx context.Context, table *embedding.Table, slope float64) error {
	squares, xs := make([]float64, tiles.Side*k.n), make([]embedding.ID, 0, tiles.Side)
	for i := range k.entries.Blocks() {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := i * tiles.Side
		xs = xs[:0]
		for x := from; x < min(from+tiles.Side, k.n); x++ {
			xs = append(xs, embedding.ID(x))
		}
		width := k.n - from
		table.SquaredDistances(squares[:len(xs)*width], xs, from, k.n)
		for r := range xs {
			j := i
			for part := range slices.Chunk(squares[r*width:(r+1)*width], tiles.Side) {
				row := k.entries.Tile(i, j)[r*tiles.Side:]
				for c, q := range part {
					row[c] = float32(math.Exp(slope * math.Sqrt(q)))
				}
				j++
			}
		}
	}
	return nil
}

// unchanged returns the bound of [MetricUnchangedLimit].
func (k kernel) unchanged(ctx context.Context, report func(done, of int)) (float64, error) {
	b, kb := make([]float64, k.n), make([]float64, k.entries.Rows())
	var rows []uint8 // of a block, whose b changes, and by how much
	var steps []float64
	// The columns of other blocks get what a block adds after its last row, and before they
	// are read.
	const (
		sweeps = 60
		rest   = 1.0 / (1 << 40) // any b gives a valid bound: smaller steps hardly make it tighter
	)
	for sweep := range sweeps {
		longest := 0.0
		for i := range k.entries.Blocks() {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			rows, steps = rows[:0], steps[:0]
			for y := i * tiles.Side; y < min((i+1)*tiles.Side, k.n); y++ {
				// The minimum over b_y alone; K_yy = 1.
				next := max(0, b[y]+1-kb[y])
				if step := next - b[y]; step != 0 {
					b[y], longest = next, max(longest, math.Abs(step))
					rows, steps = append(rows, uint8(y%tiles.Side)), append(steps, step)
					k.entries.AddInside(kb, i, y%tiles.Side, step)
				}
			}
			k.entries.AddOutside(kb, i, rows, steps)
		}
		if longest <= rest {
			break
		}
		report(sweep+1, sweeps)
	}
	report(sweeps, sweeps)
	clear(kb) // summed again: the running sums have drifted
	for i := range k.entries.Blocks() {
		rows, steps = rows[:0], steps[:0]
		for y := i * tiles.Side; y < min((i+1)*tiles.Side, k.n); y++ {
			if b[y] != 0 {
				rows, steps = append(rows, uint8(y%tiles.Side)), append(steps, b[y])
				k.entries.AddInside(kb, i, y%tiles.Side, b[y])
			}
		}
		k.entries.AddOutside(kb, i, rows, steps)
	}
	sum := 0.0
	for _, v := range b {
		sum += v
	}
	// float32 entries are within 2^-24 of K's, relatively: scaled out twice over.
	least := slices.Min(kb[:k.n]) * (1 - 1.0/(1<<22))
	return min(1, sum/least/float64(k.n)), nil
}

// InformationLimit returns the largest mutual information, in nats, between a private input
// and the output of any mechanism with pure epsilon for the whole input, for every set of
// inputs, prior and set of outputs:
//
//	u - 1 - ln u, u = epsilon/(1 - e^-epsilon),
//
// which is below epsilon, and close to epsilon^2/8 for small epsilon.
//
// For an output y let t(x) = P(y|x)/P(y), of mean 1 over inputs. The mutual
// information is the mean over outputs of the mean of t ln t. For one output, all t(x) are
// in an interval [a, a e^epsilon]; t ln t is convex, so its mean is largest if t takes only
// the two end values, and is then ln a + epsilon e^epsilon (1 - a)/(e^epsilon - 1). That is
// largest at a = (1 - e^-epsilon)/epsilon. A channel of two levels over a large codebook
// comes arbitrarily close: for example retrieval, if the sets of the private texts have the
// right size and are evenly spread.
func InformationLimit(epsilon float64) (float64, error) {
	if err := checkLimit(epsilon, 0); err != nil {
		return 0, err
	}
	if epsilon < 1e-3 { // the difference below loses its digits; the series has terms epsilon^2/8 - epsilon^4/576
		return float64(epsilon*epsilon) / 8, nil
	}
	u := epsilon / -math.Expm1(-epsilon)
	return u - 1 - math.Log(u), nil
}

// LinkageLimit returns the largest probability of identifying which of n equally likely
// inputs an output of any mechanism with pure epsilon came from:
//
//	e^epsilon/(e^epsilon + n - 1).
func LinkageLimit(epsilon float64, n int) (float64, error) {
	if err := checkLimit(epsilon, 0); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, privacy.Bad("limits", "among", n, "at least 1")
	}
	return 1 / (1 + float64(float64(n-1)*math.Exp(-epsilon))), nil
}
