package sotto

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Statement is the privacy statement: what is guaranteed for which input, and what is not.
// It holds no text. It has its own MarshalJSON, so a struct that embeds it needs one too.
// Otherwise its other fields are lost.
type Statement struct {
	// Cap has the figures of a cap on whole texts, nil if none was requested. In JSON its
	// fields come first, among the statement's own.
	Cap *DocumentFigures `json:"-" inline:"true"`

	Mechanism   string             `json:"mechanism"`
	Parameters  audit.Parameters   `json:"parameters"`
	Given       []string           `json:"given"` // the parameters given by the caller; the others are the mechanism's defaults
	Claim       privacy.Claim      `json:"claim"`
	Standing    privacy.Standing   `json:"standing"`
	Certificate *audit.Certificate `json:"certificate"`
	Embeddings  *Embeddings        `json:"embeddings"`            // null if no table of words is used
	Placeholder string             `json:"placeholder,omitempty"` // how the entry for unknown words is written; empty: <unk>
	Model       *ModelFigures      `json:"model,omitempty"`
	// For whole texts over a corpus: the corpus, the size k of a set, and the probability
	// that the output is in the set of its text.
	Corpus     *CorpusFigures `json:"corpus,omitempty"`
	Neighbours *int           `json:"neighbours,omitempty"`
	Inside     *float64       `json:"inside,omitempty"`
	// For a claim per user: how many of a user's rows are released.
	Users *UserFigures `json:"users,omitempty"`
	// For texts written in random order: the central guarantee.
	Shuffled *ShuffledFigures `json:"shuffled,omitempty"`

	Documents int `json:"documents"`
	// Null if the claim hides the number of tokens of a text.
	Tokens *int `json:"tokens"`
	// Always null: which tokens the table lacks is as private as the texts.
	UnknownTokens Withheld `json:"unknown_tokens"`
	LongestTokens *int     `json:"document_tokens_max"`
	Draws         int      `json:"draws"` // each spends the claim once: tokens, or the distinct words of each document
	// DocumentEpsilonMax bounds the pure loss of the longest document, in nats: the
	// number of its tokens that went through the mechanism, times the pure loss per
	// token. Null if no finite pure loss holds.
	DocumentEpsilonMax *float64 `json:"document_epsilon_max"`
	DocumentDeltaMax   float64  `json:"document_delta_max"`

	// Spans is the number of marked places, nil if whole texts are read. Tokens are then
	// those inside them.
	Spans *int `json:"spans,omitempty"`
	// Rest is the guarantee for the tokens outside the marked places; nil if they are
	// copied.
	Rest *RestFigures `json:"rest,omitempty"`
	// SpansField is the field of each record that held its spans and is removed from the
	// output. It is empty if the spans came from elsewhere. The caller sets it.
	SpansField string `json:"spans_field,omitempty"`

	// Bag is the guarantee for a text as a bag of words; nil if none follows.
	Bag *BagFigures `json:"bag,omitempty"`

	NotProtected []string `json:"not_protected"`
	Randomness   string   `json:"randomness"` // "secure" or "seeded"
	Version      string   `json:"version"`
}

// plainStatement is a Statement without its methods, to avoid recursion.
type plainStatement Statement

// MarshalJSON writes the fields of the cap among the statement's own.
func (s Statement) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		*DocumentFigures
		plainStatement
	}{s.Cap, plainStatement(s)})
}

// UnmarshalJSON reads the output of MarshalJSON.
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

// Embeddings identifies a table.
type Embeddings struct {
	Name       string `json:"name"`
	Words      int    `json:"words"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
	// Never describes the words that were removed from the table, which no output can
	// contain; nil if none were.
	Never *embedding.Never `json:"never,omitempty"`
}

// EmbeddingsOf describes a table.
func EmbeddingsOf(table *embedding.Table) Embeddings {
	return Embeddings{table.Name(), table.Len(), table.Dim(), table.Digest(), table.Never()}
}

// newStatement fills in the fields that do not depend on what was released.
func newStatement(entry mechanism.Entry, m configured, table *embedding.Table, counts Counts, seeded bool) Statement {
	s := Statement{
		Mechanism: entry.Name, Parameters: audit.ParametersOf(m.Settings()), Given: given(m.Settings()),
		Claim: m.Claim(), Standing: entry.Standing,
		Documents: counts.Documents, Tokens: &counts.Tokens,
		LongestTokens: &counts.LongestTokens, Draws: counts.Draws,
		Randomness: "secure", Version: Version,
	}
	if table != nil {
		e := EmbeddingsOf(table)
		s.Embeddings = &e
	}
	if seeded {
		s.Randomness = "seeded"
	}
	s.NotProtected = s.openToAll(entry)
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

// pureLoss bounds the loss per use between any two words, from what the mechanism knows
// or else from the claim alone.
func pureLoss(m any, claim privacy.Claim, table *embedding.Table) float64 {
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

// openToAll lists what no use of this configuration protects.
func (s Statement) openToAll(entry mechanism.Entry) []string {
	not := []string{}
	if entry.Standing == privacy.Refuted {
		not = append(not, "anything beyond the claim above: the published guarantee is refuted")
	}
	if s.Randomness == "seeded" {
		not = append(not, "anything from a reader who knows the seed: this was a test run")
	}
	if s.Claim.Notion == privacy.Metric || s.Claim.Notion == privacy.MetricApproximate {
		not = append(not, "the difference between distant words: epsilon is per unit of distance")
		if e := s.Embeddings; e != nil && e.Never != nil && e.Never.LeftOut > 0 {
			not = append(not, "a smaller distance for words that never come out: each counts as the word nearest to it, which it is read as")
		}
	}
	return not
}

// What a copied file keeps of the original. Where words are replaced an empty text stays
// empty; an empty whole text is replaced like any other.
const (
	besideTexts      = besideFields + "which texts are empty, null or missing, " + besideLayout
	besideWholeTexts = besideFields + "which texts are null, " + besideLayout
	besideFields     = "what a file holds beside the chosen texts: other fields and columns, the number and order of records, "
	besideLayout     = "the layout of JSON, row groups and metadata of Parquet"
)
