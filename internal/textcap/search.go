package textcap

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// search searches for the epsilon per token.
type search struct {
	ctx       context.Context
	cap       release.Loss // of one text
	tokens    int
	entry     mechanism.Entry
	table     *embedding.Table
	spec      mechanism.Spec
	mechanism mechanism.Mechanism // the last one that holds
	use       accountant.Use
	epsilon   float64
}

// try opens the mechanism at an epsilon and keeps it if the cap holds.
func (s *search) try(epsilon float64) (bool, accountant.Use, error) {
	if err := s.ctx.Err(); err != nil {
		return false, accountant.Use{}, err
	}
	spec := s.spec
	spec.Epsilon = epsilon
	m, err := s.entry.New(s.ctx, s.table, spec)
	if err != nil {
		return false, accountant.Use{}, err
	}
	use, err := useOf(s.entry, m, s.table)
	if err != nil {
		return false, use, err
	}
	delta, _, err := use.DeltaOf(s.tokens, s.cap.Epsilon)
	if err != nil || delta > s.cap.Delta {
		return false, use, err
	}
	s.mechanism, s.use, s.epsilon = m, use, epsilon
	return true, use, nil
}

func (s *search) choose() error {
	name := s.entry.Name
	if s.spec.Epsilon != 0 {
		holds, use, err := s.try(s.spec.Epsilon)
		if err != nil || holds {
			return err
		}
		return s.tooMuch(use)
	}
	if _, solved := s.entry.Parameter(mechanism.RoleChannel); solved {
		return privacy.Missing(name, "epsilon", "a channel is solved for one, which the cap of a document does not choose")
	}
	// Basic composition holds from here down; for metric mechanisms over the diameter.
	least := s.cap.Epsilon / float64(s.tokens) * (1 - 0x1p-50)
	metric := s.entry.Notion == privacy.Metric || s.entry.Notion == privacy.MetricApproximate
	if metric {
		if d := s.table.Diameter(); d > 0 {
			least /= d
		}
	}
	holds, use, err := s.try(max(least, privacy.MinEpsilon))
	if err == nil && !holds && metric && use.Epsilon > 0 {
		// Its distance is not that of the diameter, and its loss is in proportion to epsilon.
		least *= s.allowed() / use.Epsilon * (1 - 0x1p-40)
		holds, use, err = s.try(max(least, privacy.MinEpsilon))
	}
	switch {
	case err != nil:
		return err
	case !holds && least < privacy.MinEpsilon:
		return &release.BudgetError{Fault: release.EpsilonTooSmall, Mechanism: name, Tokens: s.tokens, Each: release.Loss{Epsilon: least}, Cap: s.cap,
			Possible: s.cap.Epsilon * privacy.MinEpsilon / least * 1.01}
	case !holds:
		return s.tooMuch(use)
	}
	if metric {
		s.scaleUp()
	} else {
		s.bisect()
	}
	return s.ctx.Err() // after a cancellation, epsilons that were not tried count as not holding
}

// bisect finds the largest epsilon that holds, to 1 part in 4,096. An epsilon that the
// mechanism refuses does not hold.
func (s *search) bisect() {
	holds := func(epsilon float64) bool { ok, _, err := s.try(epsilon); return ok && err == nil }
	high := 2 * s.epsilon
	for holds(high) {
		high *= 2
	}
	for high/s.epsilon > 1+0x1p-12 {
		mid := math.Sqrt(high * s.epsilon)
		if !holds(mid) {
			high = mid
		}
	}
}

// scaleUp is for mechanisms that need a calibration per epsilon. Their loss is about
// proportional to epsilon, so a few steps use most of the cap.
func (s *search) scaleUp() {
	allowed := s.allowed()
	for range 3 {
		room := allowed / s.use.Epsilon
		if room < 1.02 {
			return
		}
		if ok, _, err := s.try(s.epsilon * room * 0.995); !ok || err != nil {
			return
		}
	}
}

// allowed returns the largest pure loss per token at which the cap holds.
func (s *search) allowed() float64 {
	low := s.cap.Epsilon / float64(s.tokens)
	high := 2 * low
	holds := func(epsilon float64) bool {
		delta, _, err := accountant.Use{Epsilon: epsilon}.DeltaOf(s.tokens, s.cap.Epsilon)
		return err == nil && delta <= s.cap.Delta
	}
	for holds(high) {
		low, high = high, 2*high
	}
	for high/low > 1+0x1p-12 {
		if mid := math.Sqrt(high * low); holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// tooMuch returns the error for a use that breaks the cap, with the number of tokens for
// which it would hold.
func (s *search) tooMuch(use accountant.Use) error {
	holds := func(n int) bool {
		delta, _, err := use.DeltaOf(n, s.cap.Epsilon)
		return err == nil && delta <= s.cap.Delta
	}
	low, high := 0, s.tokens
	for high-low > 1 {
		if mid := low + (high-low)/2; holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return &release.BudgetError{Fault: release.EpsilonTooLarge, Mechanism: s.entry.Name, Tokens: s.tokens, Allowed: low, Each: release.Loss{Epsilon: use.Epsilon, Delta: use.Delta}, Cap: s.cap}
}

// useOf returns the known bounds on the loss of one token between any two words.
func useOf(entry mechanism.Entry, m mechanism.Mechanism, table *embedding.Table) (accountant.Use, error) {
	claim := m.Claim()
	u := accountant.Use{Epsilon: statement.PureLoss(m, claim, table), Delta: claim.Delta}
	if k, ok := m.(mechanism.Certified); ok && k.Loss().PureHigh > 0 {
		u.Epsilon = k.Loss().PureHigh
	}
	if math.IsInf(u.Epsilon, 1) {
		return u, &release.BudgetError{Fault: release.NoBound, Mechanism: entry.Name}
	}
	var err error
	if l, ok := m.(shortcut.Levelled); ok {
		levels := l.Levels()
		u.Losses, err = accountant.TwoLevel(u.Epsilon, levels.Size, levels.Outputs)
	}
	if g, ok := m.(mechanism.Gaussian); ok {
		u.GaussianRatio = g.NoiseRatio() * (1 - 0x1p-30) // a slightly larger loss, to cover rounding
	}
	return u, err
}
