package tune

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Row is one setting of one mechanism with its figures: a point of the frontier. The
// figures of a channel are exact. Those of any other mechanism are sampled, and figures
// that sampling cannot estimate are nil.
type Row struct {
	Mechanism        string           `json:"mechanism"`
	Epsilon          float64          `json:"epsilon"`
	CertifiedEpsilon *float64         `json:"certified_epsilon"` // metric; null where infinite or sampled
	PureEpsilon      *float64         `json:"pure_epsilon"`      // the same
	Unchanged        float64          `json:"unchanged"`
	ExpectedDistance float64          `json:"expected_distance"`
	AttackSuccess    *float64         `json:"attack_success"`     // Bayes success; null where sampled
	AttackLow        float64          `json:"attack_success_low"` // what some attacker reaches; equal if exact
	Support          *float64         `json:"support"`
	DistinctOutputs  *float64         `json:"distinct_outputs"`
	Standing         privacy.Standing `json:"standing"`
	Claim            privacy.Claim    `json:"claim"`
	Sampled          *Sampled         `json:"sampled"` // null where exact
}

// rowForm must be raised whenever the same settings give different figures.
const rowForm = 1

// Compare computes the row of one mechanism: of a channel its exact losses and
// figures, of any other one sampled figures. Rows are cached in spec.Cache by
// the table, the mechanism and all its settings in force.
func Compare(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (Row, error) {
	m, err := open(ctx, entry, table, spec)
	if err != nil {
		return Row{}, err
	}
	key := rowKey(entry, table, m)
	var kept Row
	if mechanism.Recall(spec.Cache, key, &kept) && kept.Mechanism == entry.Name {
		kept.Epsilon, kept.Standing, kept.Claim = spec.Epsilon, entry.Standing, m.Claim()
		if loss := known(m); loss.MetricHigh > 0 { // not what the cache says of it
			kept.lose(loss)
		}
		return kept, nil
	}
	row, err := compute(ctx, entry, m, table, spec)
	if err == nil {
		mechanism.Remember(spec.Cache, key, row)
	}
	return row, err
}

func open(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	if entry.New == nil {
		return nil, fmt.Errorf("%s: it is for vectors, not for words", entry.Name)
	}
	return entry.New(ctx, table, spec)
}

// rowKey identifies a channel by its settings, not by the requested epsilon: a
// calibrated channel serves a range of epsilons.
func rowKey(entry mechanism.Entry, table *embedding.Table, m mechanism.Mechanism) string {
	settings := slices.Clone(m.Settings())
	if loss := known(m); loss.MetricHigh > 0 {
		settings = slices.DeleteFunc(settings, func(s mechanism.Setting) bool { return s.Name == "epsilon" || s.Name == "calibrate" })
		settings = append(settings, mechanism.Setting{Name: "loss", Value: loss})
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%v", settings))
	return fmt.Sprintf("%s-row%d-%s-%x", table.Digest(), rowForm, entry.Name, sum[:12])
}

func known(m mechanism.Mechanism) mechanism.Loss {
	if k, ok := m.(mechanism.Certified); ok {
		return k.Loss()
	}
	return mechanism.Loss{}
}

// stages reports the stage of a long computation.
func stages(entry mechanism.Entry, spec mechanism.Spec) func(what string) progress.Func {
	return func(what string) progress.Func {
		return spec.Progress.Stage(fmt.Sprintf("%s at %.6g, %s", entry.Name, spec.Epsilon, what))
	}
}

func compute(ctx context.Context, entry mechanism.Entry, m mechanism.Mechanism, table *embedding.Table, spec mechanism.Spec) (Row, error) {
	stage := stages(entry, spec)
	row := Row{Mechanism: entry.Name, Epsilon: spec.Epsilon, Standing: entry.Standing, Claim: m.Claim()}
	c, ok := m.(mechanism.Certifier)
	if !ok {
		s, err := sample(ctx, m, table, sampledDraws, stage("draws"))
		row.Unchanged, row.ExpectedDistance, row.AttackLow, row.Sampled = s.share, s.mean, s.Unchanged[0], &s
		return row, err
	}
	loss, err := losses(ctx, c, stage("certificate"))
	if err != nil {
		return Row{}, err
	}
	f, err := Measure(ctx, c, table, stage("figures"))
	row.lose(loss)
	row.show(f)
	return row, err
}

// lose and show fill in what is exact.
func (r *Row) lose(loss mechanism.Loss) {
	r.CertifiedEpsilon, r.PureEpsilon = finite(loss.MetricHigh), finite(loss.PureHigh)
}

func (r *Row) show(f Averages) {
	r.Unchanged, r.ExpectedDistance = f.Unchanged, f.ExpectedDistance
	r.AttackSuccess, r.AttackLow, r.Support, r.DistinctOutputs = &f.AttackSuccess, f.AttackSuccess, &f.Support, &f.DistinctOutputs
}

// losses returns the losses found when the channel was made, or computes them.
func losses(ctx context.Context, c mechanism.Certifier, report progress.Func) (mechanism.Loss, error) {
	if loss := known(c); loss.MetricHigh > 0 {
		return loss, nil
	}
	return c.Certify(ctx, report)
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}
