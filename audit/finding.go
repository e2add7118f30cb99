package audit

import (
	"encoding/json"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Verdict is the conclusion of an audit about one claim.
type Verdict string

// The verdicts. Only exact enumeration certifies.
const (
	Certified Verdict = "certified"
	Refuted   Verdict = "refuted"
	Undecided Verdict = "undecided"
)

// Method is the method behind a finding.
type Method string

// The methods.
const (
	Enumeration Method = "enumeration" // every triple of the integer weights, or a bound over them
	Sampling    Method = "sampling"    // draws, with a stated false-positive rate
	Analysis    Method = "analysis"    // a closed form for the worst case
)

// Finding is the result of auditing one configured mechanism against Target.
type Finding struct {
	Mechanism string         `json:"mechanism"`
	Verdict   Verdict        `json:"verdict"`
	Published *privacy.Claim `json:"published"` // the paper's claim at these parameters, where it differs
	Claim     privacy.Claim  `json:"claim"`     // what the mechanism itself claims to hold
	// EpsilonLow is attained and EpsilonHigh is not exceeded, in the unit of
	// the audited claim, at its delta.
	EpsilonLow  Bound `json:"epsilon_low"`
	EpsilonHigh Bound `json:"epsilon_high"`
	// PureEpsilon bounds the loss over all pairs of words, in nats.
	PureEpsilon Bound `json:"pure_epsilon"`
	// DeltaLow is reached at the audited claim's epsilon.
	DeltaLow Bound   `json:"delta_low"`
	Method   Method  `json:"method"`
	Witness  *Triple `json:"witness"`
	// Confidence is the probability that a sampled bound holds; 1 for exact methods.
	Confidence float64   `json:"confidence"`
	Draws      int       `json:"draws"` // draws made in all
	Table      TableInfo `json:"embeddings"`
	// Codebook is set for whole texts, which no table is audited for.
	Codebook *CodebookInfo `json:"codebook,omitempty"`
	// Why explains the verdict in one paragraph.
	Why string `json:"why"`
	// Certificate is set if the verdict is by enumeration.
	Certificate *Certificate `json:"certificate,omitempty"`

	channel  mechanism.Channel  // of an enumeration, for plots
	levels   *mechanism.Levels  // of a channel over a codebook, for plots
	analysis mechanism.Analysis // of the member, for plots
}

// Target returns the claim that was audited: the published one if there is one.
func (f *Finding) Target() privacy.Claim {
	if f.Published != nil {
		return *f.Published
	}
	return f.Claim
}

// Channel returns the enumerated channel, or nil if the finding is not by enumeration.
func (f *Finding) Channel() mechanism.Channel { return f.channel }

// Triple is the witness of a loss: the probability of Output (a word, or an event in words)
// given Input, against its probability given Neighbour.
type Triple struct {
	Input                string  `json:"input"`
	Neighbour            string  `json:"neighbour"`
	Output               string  `json:"output"`
	ProbabilityInput     float64 `json:"probability_input"`
	ProbabilityNeighbour float64 `json:"probability_neighbour"`
}

// TableInfo names the table an audit used.
type TableInfo struct {
	Name       string `json:"name"`
	Words      int    `json:"words"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
}

func tableInfo(t *embedding.Table) TableInfo {
	return TableInfo{t.Name(), t.Len(), t.Dim(), t.Digest()}
}

// Bound is a figure that may be unknown (NaN, null in JSON) or infinite (the
// string "infinite").
type Bound float64

// unknownBound returns a figure that was not computed.
func unknownBound() Bound { return Bound(math.NaN()) }

// Known reports whether the bound was computed.
func (b Bound) Known() bool { return !math.IsNaN(float64(b)) }

// MarshalJSON writes a number, null or "infinite".
func (b Bound) MarshalJSON() ([]byte, error) {
	if !b.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(finite(float64(b)))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (b *Bound) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "null":
		*b = unknownBound()
		return nil
	case `"infinite"`:
		*b = Bound(math.Inf(1))
		return nil
	}
	var v float64
	err := json.Unmarshal(data, &v)
	*b = Bound(v)
	return err
}

// Configured is a member of the catalogue as opened: a [mechanism.Mechanism] or a
// [mechanism.Perturber].
type Configured interface {
	Claim() privacy.Claim
	Settings() []mechanism.Setting
}

// newFinding returns an undecided finding without figures.
func newFinding(entry mechanism.Entry, m Configured, table *embedding.Table, method Method) *Finding {
	f := &Finding{
		Mechanism: entry.Name, Verdict: Undecided, Published: PublishedClaim(entry, m), Claim: m.Claim(),
		EpsilonLow: unknownBound(), EpsilonHigh: unknownBound(), PureEpsilon: unknownBound(), DeltaLow: unknownBound(),
		Method: method, Confidence: 1, analysis: entry.Analysis,
	}
	if table != nil {
		f.Table = tableInfo(table)
	}
	return f
}

// PublishedClaim returns the paper's claim at the epsilon and delta in force; nil if the
// paper's claim is the mechanism's own.
func PublishedClaim(entry mechanism.Entry, m Configured) *privacy.Claim {
	if entry.Published == nil {
		return nil
	}
	claim := *entry.Published
	if epsilon, ok := number(m, "epsilon"); ok {
		claim.Epsilon = epsilon
	}
	if delta, ok := inForce(entry, m, mechanism.RoleDelta); ok {
		claim.Delta = delta
	}
	return &claim
}

// euclidean reports whether audits compute the distance in a claim's unit, if any.
func euclidean(c privacy.Claim) bool { return !isMetric(c.Notion) || c.Distance == "euclidean" }

// otherDistance makes a finding undecided, and returns true, if the claim uses
// a distance that audits do not compute.
func (f *Finding) otherDistance(target privacy.Claim) bool {
	if euclidean(target) {
		return false
	}
	f.Confidence = 0
	f.Why = "The claim counts epsilon per unit of " + target.Distance + " distance; this audit does not compute it."
	return true
}

// CodebookInfo identifies the codebook of an audit.
type CodebookInfo struct {
	Name       string `json:"name"`
	Texts      int    `json:"texts"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
}

// isMetric reports whether a notion counts epsilon per unit of distance.
func isMetric(n privacy.Notion) bool { return n == privacy.Metric || n == privacy.MetricApproximate }

// ContextAttack is what an attacker who knows the channel and a bigram prior
// recovers from rewritten texts: for each token the most probable input given the whole
// output. Shares are of all tokens, including the unknown entry.
type ContextAttack struct {
	Tokens int `json:"tokens"`
	// Recovered is the share of tokens guessed right. Unchanged is the share that did not
	// change. PriorAlone is the share guessed right from the prior without the output.
	Recovered  float64 `json:"recovered"`
	Unchanged  float64 `json:"unchanged"`
	PriorAlone float64 `json:"prior_alone"`
}

// inForce returns the number in force of the parameter with a role.
func inForce(entry mechanism.Entry, m Configured, role mechanism.Role) (float64, bool) {
	p, ok := entry.Parameter(role)
	if !ok {
		return 0, false
	}
	return number(m, p.Name)
}

// number returns a setting in force that is a number.
func number(m Configured, name string) (float64, bool) {
	for _, s := range m.Settings() {
		if s.Name == name {
			switch v := s.Value.(type) {
			case float64:
				return v, true
			case int:
				return float64(v), true
			}
		}
	}
	return 0, false
}
