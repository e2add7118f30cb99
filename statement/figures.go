package statement

import (
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Over is the treatment of a text with more tokens than its cap allows.
type Over string

// The policies.
const (
	// Refuse ends the run with an error.
	Refuse Over = "refuse"
	// Clamp replaces the tokens beyond the cap by words drawn uniformly from the table,
	// whatever the tokens are.
	Clamp Over = "clamp"
)

// DocumentFigures are the figures of a cap.
type DocumentFigures struct {
	Cap   float64 `json:"document_epsilon_cap"`
	Total float64 `json:"document_epsilon"` // of the longest text allowed, at Delta
	Delta float64 `json:"document_delta"`
	// Allowed is the number of tokens over which the cap was spread.
	Allowed     int               `json:"document_tokens_cap"`
	Composition accountant.Method `json:"document_composition"`
	Over        Over              `json:"document_over"`

	// Documents longer than Allowed, and their tokens beyond it. Both follow from lengths
	// alone.
	ClampedDocuments int `json:"clamped_documents"`
	ClampedTokens    int `json:"clamped_tokens"`
}

// RestFigures is the guarantee for the tokens outside the marked places, if they are drawn
// too.
type RestFigures struct {
	Claim      privacy.Claim    `json:"claim"` // for one token there, conditional on the spans
	Parameters audit.Parameters `json:"parameters"`
	Tokens     int              `json:"tokens"` // drawn there
	// TextEpsilonMax bounds the loss of a text with all its tokens, in nats, between texts
	// that have equal numbers of tokens in the same marked places. Null if no finite pure
	// loss holds. No figure bounds what the places themselves reveal.
	TextEpsilonMax *float64 `json:"text_epsilon_max"`
}

// TypeFigures are those of a type of marks.
type TypeFigures struct {
	Codebook string  `json:"codebook"`
	SHA256   string  `json:"sha256"`  // of the codebook's values, each on a line
	Values   int     `json:"values"`  // of the codebook
	Epsilon  float64 `json:"epsilon"` // per mark of this type
	// Certificate is of the weights that marks of this type were drawn by.
	Certificate *audit.Certificate `json:"certificate"`
}

// UntypedFigures are those of marks whose types have no codebook. Their words are drawn by
// another mechanism, and their numbers of words show.
type UntypedFigures struct {
	Mechanism   string             `json:"mechanism"`
	Claim       privacy.Claim      `json:"claim"` // for one token, conditional on the marks and their numbers of tokens
	Parameters  audit.Parameters   `json:"parameters"`
	Tokens      int                `json:"tokens"`
	Certificate *audit.Certificate `json:"certificate"`
}

// ModelFigures describes a model in a statement.
type ModelFigures struct {
	Corpus     string `json:"corpus_sha256"`
	Vocabulary string `json:"vocabulary_sha256"`
	Public     bool   `json:"corpus_declared_public"`
	Tokens     int    `json:"tokens"` // longest piece
	Pieces     int    `json:"pieces"` // per text
	// RevealsLength reports that the length of the output follows from the noisy vectors
	// alone.
	RevealsLength bool `json:"reveals_length"`
}

// CorpusFigures describes a corpus in a statement.
type CorpusFigures struct {
	Name    string      `json:"name"`
	Texts   int         `json:"texts"` // the number M of texts
	SHA256  string      `json:"sha256"`
	Public  bool        `json:"declared_public"`
	Encoder corpus.Kind `json:"encoder"`
}

// corpusFiguresOf returns the figures of a corpus.
func corpusFiguresOf(c *corpus.Corpus) *CorpusFigures {
	return &CorpusFigures{Name: c.Name(), Texts: c.Len(), SHA256: c.Digest(), Public: c.Declared(), Encoder: c.Card().Encoder.Kind}
}

// UserFigures are the figures of a claim per user.
type UserFigures struct {
	PerUser int `json:"per_user"` // largest number of released rows per user
	// Padded reports whether every user has exactly that many.
	Padded bool `json:"padded"`
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

// tableOfEncoder describes the table that the encoder of a corpus reads; nil if it reads none.
func tableOfEncoder(c *corpus.Corpus) *Embeddings {
	t := c.Card().Encoder.Table
	if t == nil {
		return nil
	}
	return &Embeddings{Name: t.Name, Words: t.Words, Dimensions: t.Dimensions, SHA256: t.SHA256}
}
