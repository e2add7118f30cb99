// Package privacy represents privacy guarantees as data: claims, standings, what a caller
// accepts, and the error for a refused parameter.
//
// Every result carries a [Claim] and not only an epsilon. How well a claim is supported is
// a separate value, a [Standing], which is set in the catalogue of mechanisms and never by
// a mechanism. This package imports no other package of the project. Package
// privacy/accountant composes claims.
package privacy

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Notion is the kind of guarantee: the inequality between the output distributions of two
// inputs.
type Notion string

// The notions, for every two inputs x, x' and every set E of outputs.
const (
	// Pure: P(M(x) in E) <= e^epsilon P(M(x') in E).
	Pure Notion = "pure"
	// Approximate: the same plus delta.
	Approximate Notion = "approximate"
	// Metric: P(M(x) in E) <= e^(epsilon d(x,x')) P(M(x') in E); epsilon has
	// the unit 1/distance. TEM paper, Definition 3.1.
	Metric Notion = "metric"
	// MetricApproximate: the same plus delta. PrivEmb paper, Definition 1.
	MetricApproximate Notion = "metric-approximate"
	// None: no finite loss holds.
	None Notion = "none"
)

// Unit is the unit that one claim protects.
type Unit string

// The units of protection.
const (
	// Token is one token at one position of a text.
	Token Unit = "token"
	// Word is one distinct word of a text, at all its positions at once. Which
	// positions hold the same word is not protected.
	Word Unit = "distinct word"
	// Text is a whole text, whatever its words.
	Text Unit = "text"
	// Record is one record of a corpus, with its labels.
	Record Unit = "record"
	// User is all the texts, or all the records, of one user in one run.
	User Unit = "user"
	// MarkedToken is one token inside the marked places of a text. What is marked, with the
	// number of tokens of each mark, and the rest of the text are not protected: no loss of
	// the whole text follows.
	MarkedToken Unit = "marked token"
	// Mark is what one marked place of a text holds, whatever and however much it is. Which
	// places are marked, their types, and the rest of the text are not protected: no loss
	// of the whole text follows.
	Mark Unit = "mark"
	// DistinctMark is what all marked places of one value hold. Which places hold the same
	// value is not protected.
	DistinctMark Unit = "distinct mark"
	// Vector is one released vector.
	Vector Unit = "vector"
)

// Conditional reports whether a claim per unit is conditional on marks that come with each
// text, what is outside them being copied: no loss of a whole text follows.
func (u Unit) Conditional() bool { return u == MarkedToken || u == Mark || u == DistinctMark }

// Whole reports whether a draw is of a whole text, of anyone or of a user.
func (u Unit) Whole() bool { return u == Text || u == User }

// HidesLength reports whether a draw hides how long what it is for is. Then nothing public may
// follow from that length, such as what is read, charged or written together.
func (u Unit) HidesLength() bool { return u.Whole() || u == Mark || u == DistinctMark }

// Assumption is a set of conditions that a claim relies on, one bit each.
type Assumption uint8

// The assumptions. Each one that a mechanism sets has a paragraph in its note.
const (
	// PublicData: the table, its order and everything that was tuned are public.
	PublicData Assumption = 1 << iota
	// RealArithmetic: the proof is for real numbers; the program rounds.
	RealArithmetic
	// LengthRevealed: the number of tokens and what the tokenizer decides are public.
	LengthRevealed
	// PublicEncoder: the encoder of the caller's vectors is public and reads one
	// text at a time.
	PublicEncoder
	// SecretRun: the noise follows from the name of the run, which is secret and names one
	// release.
	SecretRun
	// PublicSpans: the marked places of a text, their types and numbers of tokens, and
	// everything outside them are known. The claim is conditional on them.
	PublicSpans
)

var assumptionNames = [...]string{"public-data", "real-arithmetic", "length-revealed", "public-encoder", "secret-run", "public-spans"}

// Names lists the set bits in a fixed order.
func (a Assumption) Names() []string {
	names := []string{}
	for i, name := range assumptionNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Claim is the privacy guarantee of one configured mechanism.
type Claim struct {
	Unit         Unit
	Neighbouring Relation
	Notion       Notion
	Distance     string  // name of the metric; empty unless the notion is a metric one
	Epsilon      float64 // nats, or nats per unit of Distance; +Inf where nothing holds
	Delta        float64 // 0 for pure and metric notions
	Assumes      Assumption
}

// String returns the claim in one line, for people. It names the neighbouring
// relation unless that is Replace.
func (c Claim) String() string {
	switch c.Notion {
	case Pure:
		return fmt.Sprintf("(epsilon = %.10g)-differential privacy for each %s", c.Epsilon, c.Unit) + c.Neighbouring.suffix()
	case Approximate:
		return fmt.Sprintf("(epsilon = %.10g, delta = %.10g)-differential privacy for each %s", c.Epsilon, c.Delta, c.Unit) + c.Neighbouring.suffix()
	case Metric:
		return fmt.Sprintf("metric differential privacy for each %s: epsilon = %.10g per unit of %s distance", c.Unit, c.Epsilon, c.Distance)
	case MetricApproximate:
		return fmt.Sprintf("metric differential privacy for each %s: epsilon = %.10g per unit of %s distance, delta = %.10g", c.Unit, c.Epsilon, c.Distance, c.Delta)
	}
	return "no guarantee: some outputs tell two inputs apart with certainty"
}

// Neighbours describes in words which inputs the claim compares.
func (c Claim) Neighbours() string {
	switch c.Unit {
	case Mark:
		return "texts that are equal outside their marked places, have the same places and types marked, and differ in what one mark holds"
	case DistinctMark:
		return "texts that are equal outside their marked places, have the same places and types marked and equal marks at the same places, and differ in what one mark and its equals hold"
	case MarkedToken:
		return "texts that are equal outside their marked places, have the same places, types and numbers of tokens marked, and differ in one marked token"
	}
	return fmt.Sprintf("inputs that differ in one %s, which is %s", c.Unit, c.Neighbouring.Change())
}

// MarshalJSON writes an infinite epsilon as null, since JSON has no infinity.
func (c Claim) MarshalJSON() ([]byte, error) {
	var epsilon *float64
	if !math.IsInf(c.Epsilon, 0) && !math.IsNaN(c.Epsilon) {
		epsilon = &c.Epsilon
	}
	var distance *string
	if c.Distance != "" {
		distance = &c.Distance
	}
	return json.Marshal(struct {
		Unit         Unit     `json:"unit"`
		Neighbouring Relation `json:"neighbouring"`
		Notion       Notion   `json:"notion"`
		Distance     *string  `json:"distance"`
		Epsilon      *float64 `json:"epsilon"`
		Delta        float64  `json:"delta"`
		Assumes      []string `json:"assumes"`
	}{c.Unit, c.Neighbouring, c.Notion, distance, epsilon, c.Delta, c.Assumes.Names()})
}

// UnmarshalJSON reads what MarshalJSON writes. Claims of earlier versions have no
// neighbouring relation, which means Replace.
func (c *Claim) UnmarshalJSON(data []byte) error {
	var in struct {
		Unit         Unit     `json:"unit"`
		Neighbouring Relation `json:"neighbouring"`
		Notion       Notion   `json:"notion"`
		Distance     string   `json:"distance"`
		Epsilon      *float64 `json:"epsilon"`
		Delta        float64  `json:"delta"`
		Assumes      []string `json:"assumes"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*c = Claim{Unit: in.Unit, Neighbouring: in.Neighbouring, Notion: in.Notion, Distance: in.Distance, Epsilon: math.Inf(1), Delta: in.Delta}
	if in.Epsilon != nil {
		c.Epsilon = *in.Epsilon
	}
	for _, name := range in.Assumes {
		i := indexOf(assumptionNames[:], name)
		if i < 0 {
			return fmt.Errorf("privacy: unknown assumption (have %s)", strings.Join(assumptionNames[:], ", "))
		}
		c.Assumes |= 1 << i
	}
	return nil
}
