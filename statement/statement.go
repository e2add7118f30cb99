package statement

import (
	"encoding/json"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
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
	// Probes is the digest of what the encoder of the caller's answered for public texts; empty
	// where vectors came with the texts, or the corpus has its own encoder.
	Probes string `json:"encoder_probes,omitempty"`
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
	// Types are the types of the marks that were drawn, each with its codebook and epsilon; nil
	// unless marks are drawn within their types. Untyped is the guarantee for the marks of
	// other types; nil if there are none.
	Types   map[string]TypeFigures `json:"types,omitzero"`
	Untyped *UntypedFigures        `json:"untyped,omitempty"`
	// Rest is the guarantee for the tokens outside the marked places; nil if they are
	// copied.
	Rest *RestFigures `json:"rest,omitempty"`
	// SpansField is the field of each record that held its spans and is removed from the
	// output. It is empty if the spans came from elsewhere. The caller sets it.
	SpansField string `json:"spans_field,omitempty"`
	// Patterns is the SHA-256 of the patterns that marked what has a shape, besides other
	// marks; empty if none did. The caller sets it.
	Patterns string `json:"patterns,omitempty"`

	// Drawn identifies the texts of the release; nil if not all that is counted was drawn, and
	// where parts of the texts were copied.
	Drawn *identity.Drawn `json:"drawn,omitempty"`

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
