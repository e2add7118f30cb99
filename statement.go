package sotto

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Statement is the privacy statement: what was promised for what, and what was
// not. It carries no text. It writes its own JSON: a struct that embeds it would
// lose its other fields.
type Statement struct {
	// Cap is what a cap on whole texts came to, nil where none was asked for. In
	// JSON its fields stand first, beside the statement's own.
	Cap *DocumentFigures `json:"-" inline:"true"`

	Mechanism   string             `json:"mechanism"`
	Parameters  audit.Parameters   `json:"parameters"`
	Claim       privacy.Claim      `json:"claim"`
	Standing    privacy.Standing   `json:"standing"`
	Certificate *audit.Certificate `json:"certificate"`
	Embeddings  Embeddings         `json:"embeddings"`
	Model       *ModelFigures      `json:"model,omitempty"`

	Documents int `json:"documents"`
	// Null where the claim hides how many tokens a text has.
	Tokens *int `json:"tokens"`
	// Always null: which tokens the table lacks is as private as the texts.
	UnknownTokens Withheld `json:"unknown_tokens"`
	LongestTokens *int     `json:"document_tokens_max"`
	Draws         int      `json:"draws"` // each spends the claim once: tokens, or the distinct words of each document
	// DocumentEpsilonMax bounds the pure loss of the longest document, in nats:
	// its number of tokens, as far as they went through the mechanism, times the
	// pure loss of one. Null where no finite pure loss holds.
	DocumentEpsilonMax *float64 `json:"document_epsilon_max"`
	DocumentDeltaMax   float64  `json:"document_delta_max"`

	NotProtected []string `json:"not_protected"`
	Randomness   string   `json:"randomness"` // "secure" or "seeded"
	Version      string   `json:"version"`
}

// plainStatement is a Statement without its methods.
type plainStatement Statement

// MarshalJSON writes the fields of the cap among the statement's own.
func (s Statement) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		*DocumentFigures
		plainStatement
	}{s.Cap, plainStatement(s)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Statement) UnmarshalJSON(data []byte) error {
	var read struct {
		*DocumentFigures
		plainStatement
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*s = Statement(read.plainStatement)
	s.Cap = read.DocumentFigures
	return nil
}

// Embeddings names a table.
type Embeddings struct {
	Name       string `json:"name"`
	Words      int    `json:"words"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
}

// configured is what a mechanism says of itself, for words or for vectors.
type configured interface {
	Claim() privacy.Claim
	Settings() []mechanism.Setting
}

// newStatement fills in what does not depend on what was released.
func newStatement(entry mechanism.Entry, m configured, table *embedding.Table, counts Counts, seeded bool) Statement {
	s := Statement{
		Mechanism: entry.Name, Parameters: audit.ParametersOf(m.Settings()),
		Claim: m.Claim(), Standing: entry.Standing,
		Embeddings: Embeddings{table.Name(), table.Len(), table.Dim(), table.Digest()},
		Documents:  counts.Documents, Tokens: &counts.Tokens,
		LongestTokens: &counts.LongestTokens, Draws: counts.Draws,
		Randomness: "secure", Version: Version,
	}
	if seeded {
		s.Randomness = "seeded"
	}
	return s
}

// total states the loss of a document that spends the claim the given number of
// times; pure bounds the loss of one.
func (s *Statement) total(pure float64, times int) {
	if !math.IsInf(pure, 1) {
		total := pure * float64(times)
		s.DocumentEpsilonMax = &total
	}
	if s.Claim.Delta > 0 {
		s.DocumentDeltaMax = min(1, s.Claim.Delta*float64(times))
	}
}

// Statement states what holds for all that was counted.
func (r *Rewriter) Statement(counts Counts) Statement {
	s := newStatement(r.entry, r.mechanism, r.table, counts, r.seed != nil)
	if m := r.latent; m != nil {
		s.Model = m.figures()
		s.Tokens, s.LongestTokens = nil, nil
		s.total(pureLoss(s.Claim, r.table), 1)
		s.NotProtected = m.notProtected(s.openToAll(r.entry))
		return s
	}
	s.Certificate = r.certificate
	pure := pureLoss(s.Claim, r.table)
	if c := r.certificate; c != nil && c.PureEpsilon.Known() {
		pure = c.PureEpsilon.High
	}
	longest := counts.LongestTokens
	if r.document != nil {
		figures := *r.document
		figures.ClampedDocuments, figures.ClampedTokens = counts.ClampedDocuments, counts.ClampedTokens
		s.Cap, longest = &figures, min(longest, figures.Allowed)
	}
	if s.Claim = r.Claim(); r.consistent {
		longest = counts.LongestDraws
	}
	s.total(pure, longest)
	s.NotProtected = r.notProtected(s)
	return s
}

// pureLoss bounds the loss of one use between any two words by the claim alone.
func pureLoss(claim privacy.Claim, table *embedding.Table) float64 {
	switch claim.Notion {
	case privacy.Pure, privacy.Approximate:
		return claim.Epsilon
	case privacy.Metric, privacy.MetricApproximate:
		// Words, and averages of words, are no farther apart than the diameter.
		if claim.Distance == "euclidean" || claim.Distance == "mean-word" {
			return claim.Epsilon * table.Diameter()
		}
	}
	return math.Inf(1)
}

// openToAll lists what no use of this configuration protects.
func (s Statement) openToAll(entry mechanism.Entry) []string {
	not := []string{}
	if entry.Standing == privacy.Refuted {
		not = append(not, "anything the published guarantee promised: it is refuted, and the claim above is what truly holds")
	}
	if s.Randomness == "seeded" {
		not = append(not, "anything at all from a reader who knows the seed: this was a test run")
	}
	if s.Claim.Notion == privacy.Metric || s.Claim.Notion == privacy.MetricApproximate {
		not = append(not, "the difference between words far apart: epsilon counts for each unit of distance")
	}
	return not
}

// besideTexts is what a copied file keeps of the original.
const besideTexts = "what a file holds beside the chosen texts: other fields and columns, the number and order of records, which texts are empty, null or missing, the layout of JSON, row groups and metadata of Parquet"

func (r *Rewriter) notProtected(s Statement) []string {
	not := s.openToAll(r.entry)
	if f := s.Cap; f != nil {
		not = append(not, fmt.Sprintf("whole texts beyond (epsilon = %.4g, delta = %g): each other text about the same person, or the same one again, adds its own", f.Total, f.Delta))
	} else if s.DocumentEpsilonMax != nil {
		not = append(not, fmt.Sprintf("whole texts as one secret: losses add up, to %.4g for the longest text of %d tokens", *s.DocumentEpsilonMax, *s.LongestTokens))
	} else {
		not = append(not, "whole texts as one secret: losses add up over tokens")
	}
	again := "the same text rewritten again, or names repeated in it: each use is spent again"
	if r.consistent {
		again = "the same text rewritten again: each use is spent again"
		where := "of a text"
		if r.scoped {
			where = "of all texts of the scope"
		}
		not = append(not, "which positions "+where+" hold the same word, and so how many distinct words there are: one replacement stands for all positions of a word, and draws and charges are for distinct words")
	}
	if c := s.Certificate; c != nil && c.Source == mechanism.Stated {
		not = append(not, "the certificate's figures from whoever made the file that they were read from: they were not recomputed (sotto audit does that)")
	} else if c != nil && c.Source == mechanism.Cached {
		not = append(not, "the certificate's figures from whoever can write this user's cache and read its key: they were read from there and not recomputed (sotto audit does that)")
	}
	return append(not,
		"the number of tokens of each text, and what the tokenizer decides: word boundaries, sentence and field ends",
		besideTexts,
		again,
		"what context gives away: neighbouring words predict each other",
		"the time the run took, memory, and who else holds the same text",
	)
}
