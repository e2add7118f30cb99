package tune

import (
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Target is a figure of a Row and its wanted value. Figures are unchanged,
// attack, certified, pure and distance.
type Target struct {
	Figure string
	Value  float64
}

// figure describes how a target is read from a row. link transforms it to be
// nearly linear in ln epsilon.
type figure struct {
	name, words string
	falling     bool // as epsilon grows
	exactOnly   bool // sampling cannot tell it
	certified   bool // a loss, which takes a whole certificate
	read        func(Row) float64
	link        func(float64) float64
}

var figures = []figure{
	{name: "unchanged", words: "unchanged rate", read: func(r Row) float64 { return r.Unchanged }, link: logit},
	{name: "attack", words: "attack success", exactOnly: true, read: func(r Row) float64 { return infinite(r.AttackSuccess) }, link: logit},
	{name: "certified", words: "certified metric epsilon", exactOnly: true, certified: true, read: func(r Row) float64 { return infinite(r.CertifiedEpsilon) }, link: math.Log},
	{name: "pure", words: "pure epsilon", exactOnly: true, certified: true, read: func(r Row) float64 { return infinite(r.PureEpsilon) }, link: math.Log},
	{name: "distance", words: "expected distance", falling: true, read: func(r Row) float64 { return r.ExpectedDistance }, link: math.Log},
}

func infinite(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

func logit(p float64) float64 { return math.Log(p) - math.Log1p(-min(p, 1-1e-12)) }

// format writes a value in four digits. A loss is rounded up.
func (f figure) format(v float64) string {
	if f.certified {
		return privacy.Above(v, 4)
	}
	return fmt.Sprintf("%.4g", v)
}

// ahead reports how far a value is beyond the target towards less privacy, linked.
func (f figure) ahead(value, target float64) float64 {
	// Figures of 0 have no logarithm; below 1e-300 all count as equal.
	d := f.link(max(value, 1e-300)) - f.link(target)
	if f.falling {
		return -d
	}
	return d
}

// gap reports how far a value is from the target, relative.
func gap(value, target float64) float64 { return math.Abs(value-target) / target }

// find checks a target and returns how it is read.
func (t Target) find() (figure, error) {
	at := slices.IndexFunc(figures, func(f figure) bool { return f.name == t.Figure })
	if at < 0 {
		return figure{}, privacy.Bad("tune", "target", t.Figure, "unchanged, attack, certified, pure or distance")
	}
	f := figures[at]
	share := f.name == "unchanged" || f.name == "attack"
	switch {
	case share && !(t.Value > 0 && t.Value < 1):
		return figure{}, privacy.Bad("tune", f.name, t.Value, "above 0 and below 1: it is a probability")
	case !(t.Value > 0) || math.IsInf(t.Value, 0):
		return figure{}, privacy.Bad("tune", f.name, t.Value, "positive and finite")
	}
	return f, nil
}

// Result is the result of a search: the row nearest to the target that does not exceed it
// (towards less privacy), and whether it meets it within the tolerance.
type Result struct {
	Row
	Figure  string  `json:"target"`
	Wanted  float64 `json:"target_value"`
	Found   float64 `json:"target_found"`
	Reached bool    `json:"reached"`
	// Verdict is one line: whether the target is met, and the nearest if not.
	Verdict string `json:"verdict"`
	// Parameters are the parameters that the search chose besides epsilon. With them and
	// those given to the search, the same mechanism can be opened again.
	Parameters mechanism.Values `json:"parameters,omitempty"`
}

// judge fills in a result from its row.
func (f figure) judge(row Row, target Target) Result {
	v := f.read(row)
	r := Result{Row: row, Figure: f.name, Wanted: target.Value, Found: v}
	r.Reached = gap(v, target.Value) <= tolerance
	if r.Reached {
		r.Verdict = fmt.Sprintf("reached: %s %s", f.words, f.format(v))
		if s := row.Sampled; s != nil {
			in := s.Unchanged
			if f.name == "distance" {
				in = s.ExpectedDistance
			}
			r.Verdict += fmt.Sprintf(" in %d draws, %.4g to %.4g with confidence %g", s.Draws, in[0], in[1], s.Confidence)
		}
		return r
	}
	r.Verdict = fmt.Sprintf("not reached: the closest setting that is at least as private has %s %s, at epsilon %v", f.words, f.format(v), row.Epsilon)
	return r
}

// Check returns an error for a target that no row can have.
func (t Target) Check() error {
	_, err := t.find()
	return err
}

// SampledError reports a target that needs an exact row.
type SampledError struct{ Mechanism, Figure string }

func (e *SampledError) Error() string {
	return fmt.Sprintf("%s: its outputs cannot be enumerated, so its %s is not known", e.Mechanism, e.Figure)
}

// tolerance is how near a figure must come to its target, relative.
const tolerance = 0.01
