package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Row is one setting of one mechanism with its figures: a point of the frontier.
type Row struct {
	Mechanism        string           `json:"mechanism"`
	Epsilon          float64          `json:"epsilon"`
	CertifiedEpsilon *float64         `json:"certified_epsilon"` // metric; null where infinite
	PureEpsilon      *float64         `json:"pure_epsilon"`
	Unchanged        float64          `json:"unchanged"`
	ExpectedDistance float64          `json:"expected_distance"`
	AttackSuccess    float64          `json:"attack_success"`
	Support          float64          `json:"support"`
	DistinctOutputs  float64          `json:"distinct_outputs"`
	Standing         privacy.Standing `json:"standing"`
}

// Compare computes the row of one channel: its exact losses and its figures.
func Compare(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (Row, error) {
	m, err := entry.New(table, spec)
	if err != nil {
		return Row{}, err
	}
	c, ok := m.(mechanism.Certifier)
	if !ok {
		return Row{}, fmt.Errorf("%s: its outputs cannot be enumerated, so it has no exact row", entry.Name)
	}
	stage := func(what string) func(done, total int) {
		if spec.Progress == nil {
			return nil
		}
		return func(done, total int) {
			spec.Progress(fmt.Sprintf("%s at %g, %s", entry.Name, spec.Epsilon, what), done, total)
		}
	}
	loss := mechanism.Loss{}
	if k, ok := m.(mechanism.Known); ok {
		loss = k.Known()
	}
	if loss.MetricHigh == 0 {
		if loss, err = c.Certify(ctx, stage("certificate")); err != nil {
			return Row{}, err
		}
	}
	f, err := Measure(ctx, c, table, stage("figures"))
	if err != nil {
		return Row{}, err
	}
	return Row{
		Mechanism: entry.Name, Epsilon: spec.Epsilon,
		CertifiedEpsilon: finite(loss.MetricHigh), PureEpsilon: finite(loss.PureHigh),
		Unchanged: f.Unchanged, ExpectedDistance: f.ExpectedDistance, AttackSuccess: f.AttackSuccess,
		Support: f.Support, DistinctOutputs: f.DistinctOutputs, Standing: entry.Standing,
	}, nil
}

func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Target is a figure of a Row and the value it is to have.
type Target struct {
	Figure string // one of Figures
	Value  float64
}

// figure is how a target is read from a row; rising tells whether it grows with
// epsilon.
type figure struct {
	name   string
	rising bool
	read   func(Row) float64
}

var figures = []figure{
	{"unchanged", true, func(r Row) float64 { return r.Unchanged }},
	{"attack", true, func(r Row) float64 { return r.AttackSuccess }},
	{"certified", true, func(r Row) float64 { return infinite(r.CertifiedEpsilon) }},
	{"pure", true, func(r Row) float64 { return infinite(r.PureEpsilon) }},
	{"distance", false, func(r Row) float64 { return r.ExpectedDistance }},
}

func infinite(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

// Result is where a search ended: the row, the target, and whether the row
// meets it to within Tolerance.
type Result struct {
	Row
	Figure  string  `json:"target"`
	Wanted  float64 `json:"target_value"`
	Reached bool    `json:"reached"`
	Flags   string  `json:"flags"`
}

// Tolerance is how near a figure must come to its target, relative.
const Tolerance = 0.01

// The range of epsilons that is searched.
const (
	leastEpsilon = 0.05
	mostEpsilon  = 24
)

// Search finds the epsilon at which a member's figure has the wanted value, by
// bisection on its logarithm: every step computes an exact row. Losses and
// attack success are never passed; where no epsilon in [0.05, 24] meets the
// target, the nearest row is returned, not reached.
func Search(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target) (Result, error) {
	at := slices.IndexFunc(figures, func(f figure) bool { return f.name == target.Figure })
	if at < 0 {
		return Result{}, privacy.Bad("tune", "target", target.Figure, "unchanged, attack, certified, pure or distance")
	}
	fig := figures[at]
	if !(target.Value > 0) || math.IsInf(target.Value, 0) {
		return Result{}, privacy.Bad("tune", fig.name, target.Value, "positive and finite")
	}
	if (fig.name == "unchanged" || fig.name == "attack") && target.Value > 1 {
		return Result{}, privacy.Bad("tune", fig.name, target.Value, "a share, at most 1")
	}
	compute := func(epsilon float64) (Row, float64, error) {
		s := spec
		s.Epsilon = epsilon
		row, err := Compare(ctx, entry, table, s)
		excess := fig.read(row) - target.Value
		if !fig.rising {
			excess = -excess
		}
		return row, excess, err
	}
	low, high := math.Log(leastEpsilon), math.Log(mostEpsilon)
	best, gap := Row{}, math.Inf(1)
	for range 40 {
		mid := (low + high) / 2
		row, excess, err := compute(math.Exp(mid))
		if err != nil {
			return Result{}, err
		}
		// A row beyond the target serves only while nothing better is known.
		g := math.Abs(excess) / target.Value
		if excess > 0 {
			g += 1
		}
		if g < gap {
			best, gap = row, g
		}
		if gap <= Tolerance/2 || high-low < 1e-6 {
			break
		}
		if excess > 0 {
			high = mid
		} else {
			low = mid
		}
	}
	r := Result{Row: best, Figure: fig.name, Wanted: target.Value, Reached: gap <= Tolerance}
	r.Flags = fmt.Sprintf("--mechanism %s --epsilon %.6g", entry.Name, best.Epsilon)
	return r, nil
}
