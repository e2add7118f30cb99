package audit

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// certify computes the exact losses of a channel over its table and compares
// them with what it claims. The losses come from the channel's own algorithm
// where it is a [mechanism.Certifier], and are then checked against its weights
// at the witnesses; otherwise from enumerate. It uses Keep and Progress of the
// trial.
func certify(ctx context.Context, entry mechanism.Entry, m mechanism.Channel, table *embedding.Table, trial Trial) (*Finding, error) {
	loss, err := lossOf(ctx, m, table, trial.Keep, trial.Progress)
	if err != nil {
		return nil, err
	}
	f := newFinding(entry, m, table, Enumeration)
	f.channel = m
	f.Certificate = NewCertificate(entry.Name, m, table, loss)
	target := f.Target()
	low, high, witness := loss.PureLow, loss.PureHigh, loss.PureWitness
	if isMetric(target.Notion) {
		if f.otherDistance(target) {
			return f, nil
		}
		low, high, witness = loss.MetricLow, loss.MetricHigh, loss.MetricWitness
	}
	f.EpsilonLow, f.EpsilonHigh, f.PureEpsilon = Bound(low), Bound(high), Bound(loss.PureHigh)
	if witness.Input != witness.Neighbour {
		f.Witness = tripleOf(m, table, witness)
	}
	switch {
	case target.Notion == privacy.None || high <= target.Epsilon:
		f.Verdict, f.DeltaLow = Certified, 0
	case low > target.Epsilon && target.Delta == 0:
		f.Verdict = Refuted
	}
	f.Why = whyEnumerated(f)
	return f, nil
}

// lossOf runs the channel's own certificate and checks its witnesses, or enumerates.
func lossOf(ctx context.Context, m mechanism.Channel, table *embedding.Table, keep mechanism.Keep, report progress.Func) (mechanism.Loss, error) {
	var loss mechanism.Loss
	var err error
	switch c := m.(type) {
	case mechanism.Resumable:
		loss, err = c.CertifyFrom(ctx, keep, report)
	case mechanism.Certifier:
		loss, err = c.Certify(ctx, report)
	default:
		return enumerate(ctx, m, table, report)
	}
	if err != nil {
		return loss, err
	}
	for _, w := range []struct {
		mechanism.Witness
		low, high float64
		perUnit   bool
	}{{loss.MetricWitness, loss.MetricLow, loss.MetricHigh, true}, {loss.PureWitness, loss.PureLow, loss.PureHigh, false}} {
		if w.Input == w.Neighbour || w.perUnit && !euclidean(m.Claim()) {
			continue // for another distance a finding is undecided: see otherDistance
		}
		t := tripleOf(m, table, w.Witness)
		at := math.Log(t.ProbabilityInput / t.ProbabilityNeighbour)
		if w.perUnit {
			at /= table.Distance(w.Input, w.Neighbour)
		}
		const rounding = 1e-9
		if !(at >= float64(w.low*(1-rounding))-rounding && at <= float64(w.high*(1+rounding))+rounding) {
			return loss, fmt.Errorf("audit: the mechanism says that its witness loses %g to %g; its weights lose %g", w.low, w.high, at)
		}
	}
	return loss, nil
}

// tripleOf reads a witness off the weights.
func tripleOf(m mechanism.Channel, table *embedding.Table, w mechanism.Witness) *Triple {
	return &Triple{
		Input: table.Word(w.Input), Neighbour: table.Word(w.Neighbour), Output: table.Word(w.Output),
		ProbabilityInput:     probability(m, w.Input, w.Output),
		ProbabilityNeighbour: probability(m, w.Neighbour, w.Output),
	}
}

func probability(m mechanism.Channel, in, out embedding.ID) float64 {
	weights := m.Weights(nil, in)
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	return float64(weights[out]) / float64(total)
}

func whyEnumerated(f *Finding) string {
	target := f.Target()
	what := "over all pairs of words"
	if isMetric(target.Notion) {
		what = "per unit of distance, over all pairs of words with different vectors"
	}
	found := fmt.Sprintf("The integer weights that are drawn were summed and compared: the largest loss %s is between %.6g and %.6g", what, float64(f.EpsilonLow), float64(f.EpsilonHigh))
	switch f.Verdict {
	case Certified:
		return found + fmt.Sprintf(", which is at most the %.6g claimed.", target.Epsilon)
	case Refuted:
		return found + fmt.Sprintf(", above the %.6g claimed.", target.Epsilon)
	}
	if target.Delta > 0 {
		return found + fmt.Sprintf(", above the %.6g claimed; the claim's delta of %.6g may or may not pay for the rest.", target.Epsilon, target.Delta)
	}
	return found + fmt.Sprintf("; the %.6g claimed lies between the two.", target.Epsilon)
}
