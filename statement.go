package sotto

import (
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Counts is how much was rewritten.
type Counts struct {
	Documents     int
	Tokens        int
	UnknownTokens int
	LongestTokens int // tokens of the longest document
}

func (c *Counts) add(tokens, unknown int) {
	c.Documents++
	c.Tokens += tokens
	c.UnknownTokens += unknown
	c.LongestTokens = max(c.LongestTokens, tokens)
}

// Add joins the counts of another part of the same run.
func (c *Counts) Add(o Counts) {
	c.Documents += o.Documents
	c.Tokens += o.Tokens
	c.UnknownTokens += o.UnknownTokens
	c.LongestTokens = max(c.LongestTokens, o.LongestTokens)
}

// Statement is the privacy statement: what was promised for what, and what was
// not. It carries no text.
type Statement struct {
	Mechanism   string             `json:"mechanism"`
	Parameters  audit.Parameters   `json:"parameters"`
	Claim       privacy.Claim      `json:"claim"`
	Standing    privacy.Standing   `json:"standing"`
	Certificate *audit.Certificate `json:"certificate"`
	Embeddings  Embeddings         `json:"embeddings"`

	Documents     int `json:"documents"`
	Tokens        int `json:"tokens"`
	UnknownTokens int `json:"unknown_tokens"`
	LongestTokens int `json:"document_tokens_max"`
	// DocumentEpsilonMax bounds the pure loss of the longest document, in nats:
	// its number of tokens times the pure loss of one. Null where no finite
	// pure loss holds.
	DocumentEpsilonMax *float64 `json:"document_epsilon_max"`
	DocumentDeltaMax   float64  `json:"document_delta_max"`

	NotProtected []string `json:"not_protected"`
	Randomness   string   `json:"randomness"` // "secure" or "seeded"
	Version      string   `json:"version"`
}

// Embeddings names a table.
type Embeddings struct {
	Name       string `json:"name"`
	Words      int    `json:"words"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
}

// Statement states what holds for all that was counted.
func (r *Rewriter) Statement(counts Counts) Statement {
	claim := r.mechanism.Claim()
	s := Statement{
		Mechanism: r.entry.Name, Parameters: audit.ParametersOf(r.mechanism.Settings()),
		Claim: claim, Standing: r.entry.Standing,
		Embeddings: Embeddings{r.table.Name(), r.table.Len(), r.table.Dim(), r.table.Digest()},
		Documents:  counts.Documents, Tokens: counts.Tokens, UnknownTokens: counts.UnknownTokens,
		LongestTokens: counts.LongestTokens,
		Randomness:    "secure", Version: Version,
	}
	if r.seed != nil {
		s.Randomness = "seeded"
	}
	if k, ok := r.mechanism.(mechanism.Known); ok {
		s.Certificate = audit.NewCertificate(r.entry.Name, Version, r.mechanism, r.table, k.Known())
	}
	if pure := r.pureLoss(); !math.IsInf(pure, 1) {
		total := pure * float64(counts.LongestTokens)
		s.DocumentEpsilonMax = &total
	}
	if claim.Delta > 0 {
		s.DocumentDeltaMax = min(1, claim.Delta*float64(counts.LongestTokens))
	}
	s.NotProtected = r.notProtected(s)
	return s
}

// pureLoss bounds the loss of one token between any two words.
func (r *Rewriter) pureLoss() float64 {
	if k, ok := r.mechanism.(mechanism.Known); ok {
		if l := k.Known(); l.PureHigh > 0 {
			return l.PureHigh
		}
	}
	switch claim := r.mechanism.Claim(); claim.Notion {
	case privacy.Pure, privacy.Approximate:
		return claim.Epsilon
	case privacy.Metric, privacy.MetricApproximate:
		if claim.Distance == "euclidean" {
			return claim.Epsilon * r.table.Diameter()
		}
	}
	return math.Inf(1)
}

func (r *Rewriter) notProtected(s Statement) []string {
	not := []string{}
	if r.entry.Standing == privacy.Refuted {
		not = append(not, "anything the published guarantee promised: it is refuted, and the claim above is what truly holds")
	}
	if s.Randomness == "seeded" {
		not = append(not, "anything at all from a reader who knows the seed: this was a test run")
	}
	if s.Claim.Notion == privacy.Metric || s.Claim.Notion == privacy.MetricApproximate {
		not = append(not, "the difference between words far apart: epsilon counts for each unit of distance")
	}
	if s.DocumentEpsilonMax != nil {
		not = append(not, fmt.Sprintf("whole texts as one secret: losses add up, to %.4g for the longest text of %d tokens", *s.DocumentEpsilonMax, s.LongestTokens))
	} else {
		not = append(not, "whole texts as one secret: losses add up over tokens")
	}
	return append(not,
		"the number of tokens of each text, and what the tokenizer decides: word boundaries, sentence and field ends",
		"fields and columns that were not rewritten",
		"the same text rewritten again, or names repeated in it: each use is spent again",
		"what context gives away: neighbouring words predict each other",
		"the time the run took, memory, and who else holds the same text",
	)
}
