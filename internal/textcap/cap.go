// Package textcap opens mechanisms under a cap: a bound on the loss of a whole text, spread
// evenly over the tokens of the longest text allowed.
package textcap

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// MostTokens bounds the length of the longest text allowed.
const MostTokens = 1 << 20

// Cap is a bound on the loss of a whole text.
type Cap struct {
	Epsilon float64 // in nats
	Delta   float64 // 0 means a pure guarantee
	Tokens  int     // of the longest text allowed, 1 to MostTokens
	Over    statement.Over
}

// check refuses an invalid cap.
func (c Cap) check() error {
	switch {
	case !(c.Epsilon > 0) || math.IsInf(c.Epsilon, 0):
		return privacy.Bad("document", "epsilon", c.Epsilon, "positive and finite")
	case !(c.Delta >= 0 && c.Delta < 1):
		return privacy.Bad("document", "delta", c.Delta, "in [0, 1)")
	case c.Tokens < 1 || c.Tokens > MostTokens:
		return privacy.Bad("document", "tokens", c.Tokens, fmt.Sprintf("1 to %d", MostTokens))
	case c.Over != "" && c.Over != statement.Refuse && c.Over != statement.Clamp:
		return privacy.Bad("document", "over", fmt.Sprintf("%q", c.Over), "refuse or clamp")
	}
	return nil
}

// Open opens the mechanism under the cap. If the spec has an epsilon it is used, as far as the
// cap holds; otherwise Open searches for the largest epsilon that holds. The error is a
// *[release.BudgetError] if none does.
func (c Cap) Open(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, *statement.DocumentFigures, error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	if entry.Notion == privacy.Approximate {
		if c.Delta == 0 {
			return nil, nil, privacy.Bad(entry.Name, "document delta", c.Delta, "in (0, 1): this mechanism has a delta per token")
		}
		if delta, ok := entry.Parameter(mechanism.RoleDelta); ok && !spec.Parameters.Gives(delta) {
			// Half of the document's delta is for the tokens' deltas, half for the slack
			// that composition needs.
			spec.Parameters = spec.Parameters.With(delta, fmt.Sprintf("%.3g", c.Delta/float64(2*c.Tokens)*0.99))
		}
	}
	s := search{ctx: ctx, cap: release.Loss{Epsilon: c.Epsilon, Delta: c.Delta}, tokens: c.Tokens, entry: entry, table: table, spec: spec}
	if err := s.choose(); err != nil {
		return nil, nil, err
	}
	total, how, err := s.use.EpsilonOf(s.tokens, s.cap.Delta)
	if err != nil {
		return nil, nil, err
	}
	f := &statement.DocumentFigures{Cap: s.cap.Epsilon, Total: min(total, s.cap.Epsilon), Delta: s.cap.Delta, Allowed: s.tokens, Composition: how, Over: c.Over}
	if f.Over == "" {
		f.Over = statement.Refuse
	}
	return s.mechanism, f, nil
}
