// Package mechanismtest tests the contract that every implementation of the
// mechanism interfaces must keep, whatever its noise. It finds breaches of the
// contract, not wrong distributions: the tests of each member and the audit
// find those.
package mechanismtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

type breaches struct {
	who  string
	list []error
}

func (b *breaches) add(format string, args ...any) {
	b.list = append(b.list, fmt.Errorf(b.who+": "+format, args...))
}

// repeats checks that a call leaves its input as it is, and that what it draws repeats
// with its seed alone; seed 0 is a secure source. It returns the draw of seed 1.
func repeats[In, Out comparable](b *breaches, call, outcome string, src []In, draw func(src []In, seed uint64) []Out) []Out {
	before := slices.Clone(src)
	first := draw(src, 1)
	if !slices.Equal(src, before) {
		b.add("%s changes its input", call)
	}
	if !slices.Equal(first, draw(src, 1)) {
		b.add("one seed gives two %ss", outcome)
	}
	if slices.Equal(first, draw(src, 2)) {
		b.add("two seeds give one %s", outcome)
	}
	if slices.Equal(draw(src, 0), draw(src, 0)) {
		b.add("two secure runs repeat")
	}
	return first
}

type configured interface {
	Claim() privacy.Claim
	Settings() []mechanism.Setting
}

// claim checks the claim against the catalogue.
func (b *breaches) claim(entry mechanism.Entry, m configured, spec mechanism.Spec) {
	c := m.Claim()
	if c.Unit == "" {
		b.add("the claim names no unit")
	}
	metric := c.Notion == privacy.Metric || c.Notion == privacy.MetricApproximate
	if metric != (c.Distance != "") {
		b.add("a %s claim names the distance %q", c.Notion, c.Distance)
	}
	switch entry.Standing {
	case privacy.Refuted:
		if entry.Published == nil {
			b.add("refuted, and the published claim is not kept")
		} else if c.Notion == entry.Published.Notion && c.Epsilon <= spec.Epsilon && c.Delta <= 0 {
			b.add("refuted, and still claims %s", c)
		}
	default:
		if c.Notion != entry.Notion {
			b.add("the claim is %s, the catalogue says %s", c.Notion, entry.Notion)
		}
		if !(c.Epsilon > 0 || entry.FromZero && spec.Epsilon == 0) || c.Epsilon > spec.Epsilon {
			b.add("asked for epsilon %g, the claim is %g", spec.Epsilon, c.Epsilon)
		}
	}
	approximate := c.Notion == privacy.Approximate || c.Notion == privacy.MetricApproximate
	if approximate != (c.Delta > 0) && c.Notion != privacy.None {
		b.add("a %s claim has delta %g", c.Notion, c.Delta)
	}
	settings := m.Settings()
	if len(settings) == 0 || settings[0].Name != "epsilon" || settings[0].Value != spec.Epsilon {
		b.add("the first setting is not the requested epsilon")
	}
	if !slices.Equal(settings, m.Settings()) {
		b.add("two calls give different settings")
	}
}

// above checks that the member refuses the epsilon that its entry says it needs more than.
func (b *breaches) above(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) {
	if entry.Above == nil {
		return
	}
	var err error
	if spec.Epsilon, err = entry.Above(ctx, table); err != nil {
		b.add("its least epsilon is not known: %w", err)
		return
	}
	var parameter *privacy.ParameterError
	if _, err := entry.New(ctx, table, spec); !errors.As(err, &parameter) || parameter.Name != "epsilon" {
		b.add("epsilon %g, which the catalogue says is too small, is not refused (%v)", spec.Epsilon, err)
	}
}

// parameters checks that bad ones are refused by name.
func (b *breaches) parameters(entry mechanism.Entry, spec mechanism.Spec, open func(mechanism.Spec) error) {
	refused := func(what string, s mechanism.Spec) {
		var parameter *privacy.ParameterError
		if err := open(s); !errors.As(err, &parameter) {
			b.add("%s is not refused as a parameter (%v)", what, err)
		} else if parameter.Who != b.who {
			b.add("%s is refused in the name of %s", what, parameter.Who)
		}
	}
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-300} {
		if epsilon == 0 && entry.FromZero {
			continue
		}
		s := spec
		s.Epsilon = epsilon
		refused(fmt.Sprintf("epsilon %g", epsilon), s)
	}
	s := spec
	s.Parameters = map[string]string{"no-such-parameter": "1"}
	for name, value := range spec.Parameters {
		s.Parameters[name] = value
	}
	refused("an unknown parameter", s)
}
