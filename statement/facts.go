package statement

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// Version is the version of the program, part of every statement and certificate.
const Version = "0.2.0"

// Facts is how a release was opened: all that its statement follows from, except for
// what was counted.
type Facts struct {
	Entry       mechanism.Entry
	Settings    []mechanism.Setting
	Claim       privacy.Claim // per draw
	Seeded      bool
	Table       *embedding.Table   // nil if texts are not cut into words
	Certificate *audit.Certificate // nil if no loss is known exactly
	// Loss returns a bound on the pure loss per draw, in nats, for where no certificate
	// states it: infinite if no bound is known. Some are computed from the whole table.
	Loss func() float64
	// Of is what the release consists of: a [Words], [Model], [Texts], [Marks] or [Vectors].
	Of Kind
}

// Kind is what a release consists of.
type Kind interface {
	// state adds the guarantee for the counted units to a statement of common fields.
	state(s *Statement, f Facts, counts Counts)
	// again returns the facts and counts from which a statement that was read must follow.
	again(read *Statement, f Facts, counts Counts) (Facts, Counts, error)
}

// State returns the statement for the counted texts.
func (f Facts) State(counts Counts) Statement {
	s := Statement{
		Mechanism: f.Entry.Name, Parameters: audit.ParametersOf(f.Settings), Given: given(f.Settings),
		Claim: f.Claim, Standing: f.Entry.Standing,
		Documents: counts.Documents, Tokens: &counts.Tokens,
		LongestTokens: &counts.LongestTokens, Draws: counts.Draws,
		Randomness: "secure", Version: Version,
	}
	if f.Table != nil {
		e := EmbeddingsOf(f.Table)
		s.Embeddings = &e
	}
	if counts.Drawn != (identity.Drawn{}) {
		s.Drawn = &counts.Drawn
	}
	if f.Seeded {
		s.Randomness = "seeded"
	}
	s.NotProtected = s.openToAll(f.Entry)
	f.Of.state(&s, f, counts)
	return s
}

// given returns the names of the settings given by the caller.
func given(settings []mechanism.Setting) []string {
	names := []string{}
	for _, s := range settings {
		if s.Given && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names
}

// total sets the loss of a document that spends the claim the given number of times; pure
// bounds the loss per time.
func (s *Statement) total(pure float64, times int) {
	if total := privacy.Times(pure, times); !math.IsInf(pure, 1) && !math.IsInf(total, 1) {
		s.DocumentEpsilonMax = &total
	}
	if s.Claim.Delta > 0 {
		s.DocumentDeltaMax = min(1, privacy.Times(s.Claim.Delta, times))
	}
}

// PureLoss bounds the loss per use between any two words, from what the mechanism knows or
// else from the claim alone. Table is not read for claims that no distance enters.
func PureLoss(m any, claim privacy.Claim, table *embedding.Table) float64 {
	if b, ok := m.(mechanism.Bounded); ok {
		return b.Most()
	}
	switch claim.Notion {
	case privacy.Pure, privacy.Approximate:
		return claim.Epsilon
	case privacy.Metric, privacy.MetricApproximate:
		// Words, and averages of words, are at most the diameter apart.
		if claim.Distance == "euclidean" || claim.Distance == "mean-word" {
			return claim.Epsilon * table.Diameter()
		}
	}
	return math.Inf(1)
}
