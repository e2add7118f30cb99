package statement

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Cost is what a run over some texts spends, with measures of how much of the texts
// remains. Computing it draws nothing for these texts. Unknown, Unchanged and Recovered
// depend on the words of the texts, so a Cost is as private as the texts. No statement
// includes it.
type Cost struct {
	Claim privacy.Claim `json:"claim"` // per unit
	Texts int           `json:"texts"`
	Units int           `json:"units"` // draws, each of which spends the claim once
	// EpsilonEach is the epsilon per unit, per unit of distance for a metric claim;
	// EpsilonTotal is that of all units together, which is what an account pays. Both are
	// null if no finite loss holds. EpsilonEach is also null if units differ in epsilon:
	// then Rest has those outside marked places (Config.MarkedEpsilon), and the claim is of
	// the others.
	EpsilonEach  *float64 `json:"epsilon_each"`
	EpsilonTotal *float64 `json:"epsilon_total"`
	Rest         *Outside `json:"rest,omitempty"`
	DeltaTotal   float64  `json:"delta_total"`
	// EpsilonLongest bounds the loss of the text with the most units, in nats. Under a
	// cap it is that of the longest text allowed. Null if no finite loss holds.
	EpsilonLongest *float64 `json:"epsilon_longest"`
	// Unknown is the share of words that the table lacks, or of those of whole texts that the
	// encoder of the corpus or the model does not know. Of the other words of a table, Unchanged is
	// the expected share that do not change, and Recovered is the share that the best guess
	// from each single output names, at least Unchanged. Each is null if it is not defined or not computed. See
	// the rewriter's Unknown, [Rewriter.Unchanged] and [Rewriter.Recovered].
	Unknown   *float64 `json:"unknown"`
	Unchanged *float64 `json:"unchanged"`
	Recovered *float64 `json:"recovered"`
	Sampled   bool     `json:"sampled"` // Unchanged is of a sample of the table
}

// Outside is what is drawn outside marked places.
type Outside struct {
	Units   int     `json:"units"`
	Epsilon float64 `json:"epsilon"` // per unit
}

// Cost returns the figures that follow from what was counted. Unknown, Unchanged and
// Recovered are left to the caller.
func (s Statement) Cost() Cost {
	c := Cost{Claim: s.Claim, Texts: s.Documents, Units: s.Draws, EpsilonLongest: s.DocumentEpsilonMax}
	if s.Cap != nil {
		c.EpsilonLongest = &s.Cap.Total
	}
	if s.Claim.Notion == privacy.None || math.IsInf(s.Claim.Epsilon, 0) {
		return c
	}
	each := s.Claim.Epsilon
	if s.Users != nil { // the claim is for all rows of a user
		each = privacy.Share(each, s.Users.PerUser)
	}
	if s.Rest == nil {
		c.EpsilonEach = &each
	} else {
		c.Rest = &Outside{Units: s.Rest.Tokens, Epsilon: s.Rest.Claim.Epsilon}
	}
	if s.Claim.Unit.Conditional() { // the rest of each text is copied
		return c
	}
	if total := privacy.Times(each, s.Draws); !math.IsInf(total, 1) {
		c.EpsilonTotal = &total
	}
	c.DeltaTotal = min(1, privacy.Times(s.Claim.Delta, s.Draws))
	return c
}
