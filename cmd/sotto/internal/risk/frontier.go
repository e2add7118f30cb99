package risk

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/tune"
)

// limitsAt computes the limits of every mechanism at each epsilon, for pure and for
// metric guarantees. Metric limits are cached.
func limitsAt(ctx context.Context, epsilons []float64, table *embedding.Table, cache mechanism.Cache, job *cli.Job) ([]tune.Limit, error) {
	var limits []tune.Limit
	for _, epsilon := range epsilons {
		most, err := audit.UnchangedLimit(epsilon, 0, table.Len())
		if err != nil {
			return nil, err
		}
		limits = append(limits, tune.Limit{Notion: privacy.Pure, Epsilon: epsilon, Unchanged: most})
	}
	metric, err := metricLimits(ctx, epsilons, table, cache, job.Part())
	for i, most := range metric {
		limits = append(limits, tune.Limit{Notion: privacy.Metric, Epsilon: epsilons[i], Unchanged: most})
	}
	return limits, err
}

// metricLimits returns the limit at each epsilon: from the cache, or computed.
func metricLimits(ctx context.Context, epsilons []float64, table *embedding.Table, cache mechanism.Cache, report progress.Func) ([]float64, error) {
	limits := make([]float64, len(epsilons))
	var missing []int // of the epsilons
	for i, epsilon := range epsilons {
		if most := 0.0; mechanism.Recall(cache, limitKey(table, epsilon), &most) && most > 0 && most <= 1 {
			limits[i] = most
			continue
		}
		if most, ok := packingLimit(ctx, epsilon, table); ok {
			limits[i] = most
			mechanism.Remember(cache, limitKey(table, epsilon), most)
			continue
		}
		missing = append(missing, i)
	}
	if len(missing) == 0 {
		return limits, ctx.Err()
	}
	var at []float64
	for _, i := range missing {
		at = append(at, epsilons[i])
	}
	found, err := metricLimitsOf(ctx, at, table, report)
	if err != nil {
		return nil, err
	}
	for j, i := range missing {
		limits[i] = found[j]
		mechanism.Remember(cache, limitKey(table, at[j]), found[j])
	}
	return limits, nil
}

func limitKey(table *embedding.Table, epsilon float64) string {
	return fmt.Sprintf("%s-limit-%x", table.Digest(), math.Float64bits(epsilon))
}

// A metric limit uses wholeWords together or, for larger tables, blocks of blockWords.
const (
	wholeWords = packing.Words
	blockWords = 2000
)

// metricLimitsOf bounds the unchanged rates over a table by the mean over blocks of its
// words: a channel's rows at some words, and the columns of these, satisfy the same
// inequalities, so each block has its own limit. Larger blocks give a tighter bound and
// take longer.
func metricLimitsOf(ctx context.Context, epsilons []float64, table *embedding.Table, report progress.Func) ([]float64, error) {
	n := table.Len()
	if n <= wholeWords {
		return audit.MetricUnchangedLimits(ctx, epsilons, table, report)
	}
	blocks := (n + blockWords - 1) / blockWords
	shares := make([][]float64, blocks)
	done := report.Counter(blocks)
	err := parallel.Blocked(ctx, blocks, 1, func(ctx context.Context, i, _ int) (err error) {
		shares[i], err = blockLimits(ctx, epsilons, table, i, blocks)
		done.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	sums := make([]float64, len(epsilons))
	for _, block := range shares {
		for e, share := range block {
			sums[e] += share
		}
	}
	return sums, nil
}

// blockLimits bounds the unchanged rates of a block of words, times the share of the words
// that are in it.
func blockLimits(ctx context.Context, epsilons []float64, table *embedding.Table, from, every int) ([]float64, error) {
	s := embedding.Source{Dim: table.Dim()}
	for x := from; x < table.Len(); x += every {
		s.Words = append(s.Words, table.Word(embedding.ID(x)))
		s.Vectors = table.Vector(s.Vectors, embedding.ID(x))
	}
	block, err := embedding.New(s)
	if err != nil {
		return nil, err
	}
	limits, err := audit.MetricUnchangedLimits(ctx, epsilons, block, nil)
	if err != nil {
		return nil, err
	}
	// The block's grid may move every component by half a step, so every distance by at
	// most a step times the square root of the dimensions.
	moved := block.Step() * math.Sqrt(float64(table.Dim()))
	for e, most := range limits {
		limits[e] = min(1, most*math.Exp(epsilons[e]*moved)) * float64(block.Len()) / float64(table.Len())
	}
	return limits, nil
}

// packingLimit returns the limit that was found together with packing's channel at an
// epsilon, if that ships with the program. It is tighter than a new one.
func packingLimit(ctx context.Context, epsilon float64, table *embedding.Table) (float64, bool) {
	entry, ok := catalog.Default(mechanism.UseWords, privacy.Metric)
	if !ok || !packingAtHand(table) {
		return 0, false
	}
	m, err := entry.New(ctx, table, mechanism.Spec{Epsilon: epsilon})
	if err != nil || m.Claim().Epsilon != epsilon {
		return 0, false
	}
	for _, s := range m.Settings() {
		if most, ok := s.Value.(float64); ok && s.Name == "limit" && most > 0 {
			return min(1, most), true
		}
	}
	return 0, false
}

// drawnLimits returns the metric limits of a comparison, and the pure limit at all pure
// epsilons of its rows.
func drawnLimits(c comparison, table *embedding.Table) ([]tune.Limit, error) {
	var limits []tune.Limit
	low, high := math.Inf(1), 0.0
	for _, l := range c.Limits {
		low, high = min(low, l.Epsilon), max(high, l.Epsilon)
		if l.Notion == privacy.Metric {
			limits = append(limits, l)
		}
	}
	for _, r := range c.Rows {
		if e := r.PureEpsilon; e != nil && *e > 0 {
			low, high = min(low, *e), max(high, *e)
		}
	}
	const points = 60
	for i := range points + 1 {
		epsilon := low * math.Pow(high/low, float64(i)/points)
		most, err := audit.UnchangedLimit(epsilon, 0, table.Len())
		if err != nil {
			return nil, err
		}
		limits = append(limits, tune.Limit{Notion: privacy.Pure, Epsilon: epsilon, Unchanged: most})
	}
	return limits, nil
}

// packingAtHand reports whether packing's channels ship with the program for a table:
// they ship for the first words of the embedded table.
func packingAtHand(table *embedding.Table) bool {
	english, err := builtin.English()
	if err != nil || table.Len() != packing.Words || english.Len() < packing.Words {
		return false
	}
	first, err := english.First(packing.Words)
	return err == nil && first.Digest() == table.Digest()
}
