package risk

import (
	"context"
	"encoding/json"
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
	for _, epsilon := range epsilons {
		report := job.Part()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		key := fmt.Sprintf("%s-limit-%x", table.Digest(), math.Float64bits(epsilon))
		most := 0.0
		if cache != nil {
			if data, ok := cache.Get(key); ok && json.Unmarshal(data, &most) == nil && most > 0 && most <= 1 {
				limits = append(limits, tune.Limit{Notion: privacy.Metric, Epsilon: epsilon, Unchanged: most})
				continue
			}
		}
		most, err := metricLimit(ctx, epsilon, table, report)
		if err != nil {
			return nil, err
		}
		if data, err := json.Marshal(most); err == nil && cache != nil {
			cache.Put(key, data)
		}
		limits = append(limits, tune.Limit{Notion: privacy.Metric, Epsilon: epsilon, Unchanged: most})
	}
	return limits, nil
}

// A metric limit uses wholeWords together or, for larger tables, blocks of blockWords.
const (
	wholeWords = packing.Words
	blockWords = 2000
)

// metricLimit bounds the unchanged rate over a table by the mean over blocks of its
// words: a channel's rows at some words, and the columns of these, satisfy the same
// inequalities, so each block has its own limit. Larger blocks give a tighter bound and
// take longer.
func metricLimit(ctx context.Context, epsilon float64, table *embedding.Table, report progress.Func) (float64, error) {
	n := table.Len()
	if most, ok := packingLimit(ctx, epsilon, table); ok {
		return most, nil
	}
	if n <= wholeWords {
		return audit.MetricUnchangedLimit(ctx, epsilon, table, report)
	}
	blocks := (n + blockWords - 1) / blockWords
	shares := make([]float64, blocks)
	done := report.Counter(blocks)
	err := parallel.Blocked(ctx, blocks, 1, func(ctx context.Context, i, _ int) error {
		most, words, err := blockLimit(ctx, epsilon, table, i, blocks)
		shares[i] = most * float64(words) / float64(n)
		done.Add(1)
		return err
	})
	sum := 0.0
	for _, s := range shares {
		sum += s
	}
	return sum, err
}

// blockLimit bounds the unchanged rate of a block of words, and counts them.
func blockLimit(ctx context.Context, epsilon float64, table *embedding.Table, from, every int) (most float64, words int, err error) {
	s := embedding.Source{Dim: table.Dim()}
	for x := from; x < table.Len(); x += every {
		s.Words = append(s.Words, table.Word(embedding.ID(x)))
		s.Vectors = table.Vector(s.Vectors, embedding.ID(x))
	}
	block, err := embedding.New(s)
	if err != nil {
		return 0, 0, err
	}
	if most, err = audit.MetricUnchangedLimit(ctx, epsilon, block, nil); err != nil {
		return 0, 0, err
	}
	// The block's grid may move every component by half a step, so every distance by at
	// most a step times the square root of the dimensions.
	moved := block.Step() * math.Sqrt(float64(table.Dim()))
	return min(1, most*math.Exp(epsilon*moved)), block.Len(), nil
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
