package risk

import (
	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
)

// attacked is the output of attack --json.
type attackedTexts struct {
	Rows    []attack.Row `json:"rows"`
	LeftOut []leftOut    `json:"left_out"`
	Texts   int          `json:"texts"`
	// Known is the number of texts whose words are those of a text of the corpus too.
	Known int `json:"known_texts"`
	// Unknown is the share of the words of the texts that the table lacks. Shares of words are
	// of the others. Null where no mechanism is for words.
	Unknown    *float64             `json:"unknown"`
	Model      *attackModel         `json:"model"`
	Reader     string               `json:"reader,omitempty"` // of words
	Label      *attackedLabel       `json:"label"`
	Confidence float64              `json:"confidence"`
	Seed       uint64               `json:"seed"`
	Embeddings statement.Embeddings `json:"embeddings"`
	// Codebook is the corpus of mechanisms that release whole texts; null if there is none.
	Codebook *attackCodebook `json:"codebook"`
	// OperatorOnly: the texts or those of the model are not declared public, and the
	// figures reveal something about them.
	OperatorOnly bool   `json:"operator_only"`
	Privacy      string `json:"privacy"`
	// Provenance is what the figures were computed from.
	Provenance provenance.Inputs `json:"provenance"`
}

// attackModel is the language model of the reader.
type attackModel struct {
	Order  int    `json:"order"`
	Tokens int    `json:"tokens"` // 0 if not known
	SHA256 string `json:"sha256"`
}

// attackedLabel is the label that a classifier finds.
type attackedLabel struct {
	Field   string   `json:"field"`
	Classes []string `json:"classes"` // of the public texts
	Texts   int      `json:"texts"`   // public ones, with which it is trained
}

// attackCodebook is the corpus of the public output texts.
type attackCodebook struct {
	Name   string `json:"name"`
	Texts  int    `json:"texts"`
	SHA256 string `json:"sha256"`
	// declared: it is declared public.
	declared bool
}

// leftOut is a setting that a mechanism refuses.
type leftOut struct {
	Mechanism string  `json:"mechanism"`
	Epsilon   float64 `json:"epsilon,omitempty"`
	Why       string  `json:"why"`
}
