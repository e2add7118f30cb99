package tune

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// The figures of a [TextRow] that a target may name.
const (
	// Linkage is a target for the largest epsilon at which linkage is at most the value.
	Linkage = "linkage"
	// Topic is a target for the smallest epsilon at which Topic is at least the value.
	Topic = "topic"
)

// TextResult is the result of a search for a target.
type TextResult struct {
	TextRow
	Figure  string  `json:"target"`
	Wanted  float64 `json:"target_value"`
	Found   float64 `json:"target_found"`
	Reached bool    `json:"reached"`
	Verdict string  `json:"verdict"`
}

// Epsilons of a search are hundredths: 0.05 to 24.
const (
	leastHundredths = 5
	mostHundredths  = 2400
)

// SearchTexts finds the epsilon for a target, in hundredths from 0.05 to 24. The value is a
// share above 0 and below 1. If no epsilon reaches it, the result holds the nearest row.
func SearchTexts(ctx context.Context, entry mechanism.Entry, texts Texts, spec mechanism.Spec, target Target) (TextResult, error) {
	switch {
	case target.Figure != Linkage && target.Figure != Topic:
		return TextResult{}, privacy.Bad("tune", "target", target.Figure, "linkage or topic for whole texts")
	case !(target.Value > 0 && target.Value < 1):
		return TextResult{}, privacy.Bad("tune", target.Figure, target.Value, "a share above 0 and below 1")
	case target.Figure == Topic && texts.Topics == nil:
		return TextResult{}, privacy.Missing("tune", "topics", "public texts with labels")
	}
	s := textSearch{target: target, at: func(hundredths int) (TextRow, error) {
		s := spec
		s.Epsilon = float64(hundredths) / 100
		return CompareTexts(ctx, entry, texts, s)
	}}
	if err := s.run(); err != nil {
		return TextResult{}, err
	}
	return s.result(), nil
}

// textSearch brackets the epsilon from which on rows are beyond a target.
type textSearch struct {
	target        Target
	at            func(hundredths int) (TextRow, error)
	below, beyond *TextRow // the nearest rows on either side; nil for none
	low           int      // hundredths of below
}

func (s *textSearch) figure(row *TextRow) float64 {
	if s.target.Figure == Topic {
		return *row.Topic
	}
	return row.Linkage
}

func (s *textSearch) isBeyond(row *TextRow) bool {
	if s.target.Figure == Topic {
		return *row.Topic >= s.target.Value
	}
	return row.Linkage > s.target.Value
}

func (s *textSearch) run() error {
	row, err := s.at(leastHundredths)
	if err != nil {
		return err
	}
	if s.isBeyond(&row) {
		s.beyond = &row
		return nil
	}
	s.below, s.low = &row, leastHundredths
	for high := mostHundredths + 1; high-s.low > 1; {
		mid := (s.low + high) / 2
		row, err := s.at(mid)
		var refused *privacy.ParameterError
		switch {
		case errors.As(err, &refused) && refused.Name == "epsilon": // too large for this codebook
			high = mid
		case err != nil:
			return err
		case s.isBeyond(&row):
			high, s.beyond = mid, &row
		default:
			s.low, s.below = mid, &row
		}
	}
	return nil
}

// result returns the row on the right side of the target or, where there is none, the
// nearest on the other.
func (s *textSearch) result() TextResult {
	best, other, what := s.below, s.beyond, "linkage"
	if s.target.Figure == Topic {
		best, other, what = s.beyond, s.below, "topic kept"
	}
	r := TextResult{Figure: s.target.Figure, Wanted: s.target.Value, Reached: best != nil}
	if best == nil {
		best = other
	}
	r.TextRow, r.Found = *best, s.figure(best)
	if s.target.Figure == Linkage {
		what = fmt.Sprintf("linkage among %d", best.Among)
	}
	switch {
	case !r.Reached && s.target.Figure == Topic:
		r.Verdict = fmt.Sprintf("not reached: at the largest epsilon searched, %g, %s is %.4g", best.Epsilon, what, r.Found)
	case !r.Reached:
		r.Verdict = fmt.Sprintf("not reached: at epsilon %g %s is %.4g already", best.Epsilon, what, r.Found)
	case s.target.Figure == Linkage && s.low == mostHundredths:
		r.Verdict = fmt.Sprintf("reached: at the largest epsilon searched, %g, %s is %.4g", best.Epsilon, what, r.Found)
	default:
		r.Verdict = fmt.Sprintf("reached: %s %.4g", what, r.Found)
	}
	return r
}
