package statement

import (
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Of is what one private vector represents.
type Of string

const (
	// Documents: one vector per text, the average of its tokens' vectors. A text without
	// tokens counts as one unknown token. Any two texts are protected from each other,
	// whatever their lengths, if the claim is not per unit of distance.
	Documents Of = "documents"
	// Tokens: one vector per token.
	Tokens Of = "words"
)

// EmbedStatement is a privacy statement for vectors.
type EmbedStatement struct {
	Statement
	vectorFigures
}

// vectorFigures are the fields of a statement about vectors alone.
type vectorFigures struct {
	Of         Of  `json:"of"`
	Vectors    int `json:"vectors"`
	Components int `json:"components"` // of each vector
	// Debias is set for members whose vectors are unbiased estimates of unit vectors, and
	// says how they follow from what was drawn. Raw: that step is left to the reader.
	Debias *mechanism.Debias `json:"debias,omitempty"`
	Raw    bool              `json:"raw,omitempty"`
}

// MarshalJSON writes the fields of the statement and of the vectors as one object.
func (s EmbedStatement) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		plainStatement
		vectorFigures
	}{plainStatement(s.Statement), s.vectorFigures})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *EmbedStatement) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &s.vectorFigures); err != nil {
		return err
	}
	return s.Statement.UnmarshalJSON(data)
}

// Vectors is a release of vectors of texts.
type Vectors struct {
	Of         Of
	Components int // of each vector
	// Debias is set for members whose vectors are unbiased estimates of unit vectors. Raw
	// leaves that step to the reader.
	Debias *mechanism.Debias
	Raw    bool
	// Corpus, if not nil, has the public texts that the map of vectors was fitted on, and an
	// encoder of whole texts in place of a table of words. Brought reports that the encoder is
	// the caller's, and Probes are those of corpus.Probes, empty for given vectors.
	Corpus  *corpus.Corpus
	Brought bool
	Probes  string
}

// State returns the statement for the counted vectors.
func (v Vectors) State(f Facts, counts Counts) EmbedStatement {
	f.Of = v
	s := EmbedStatement{
		Statement:     f.State(counts),
		vectorFigures: vectorFigures{Of: v.Of, Vectors: counts.Documents, Components: v.Components, Debias: v.Debias, Raw: v.Raw},
	}
	if v.Of == Tokens {
		s.Vectors = counts.Tokens
	}
	return s
}

func (v Vectors) state(s *Statement, f Facts, counts Counts) {
	s.Certificate = f.Certificate
	if v.Of == Tokens {
		s.total(f.Loss(), counts.LongestTokens)
		s.NotProtected = append(s.NotProtected,
			"whole texts as one secret: losses add up over the vectors of a text",
			"the number of tokens of each text, and what the tokenizer decides")
		if f.Table.Segmentation().Kind() == segment.Pieces {
			s.NotProtected = append(s.NotProtected, piecesAreWords)
		}
	} else {
		s.total(f.Loss(), 1)
		s.Tokens, s.LongestTokens = nil, nil
		v.encoded(s)
		s.NotProtected = append(s.NotProtected, "the number of records and their order: each has one vector per field, also one without a text")
		if f.Claim.Unit == privacy.Text {
			s.NotProtected = append(s.NotProtected, endedEarly)
		} else {
			s.NotProtected = append(s.NotProtected, "that every record could be read: the run ends at the first that cannot")
		}
	}
	s.NotProtected = append(s.NotProtected,
		"the same text embedded again: each release is spent again",
		"several texts of one person: losses add up over them",
		"the time the run took, memory, and who else holds the same text",
	)
	if v.Corpus != nil {
		s.NotProtected = append(s.NotProtected, fmt.Sprintf("the corpus %q: the map of vectors follows from the vectors of its %d texts; the claim takes it as public and chosen without the private texts, and %s", v.Corpus.Name(), v.Corpus.Len(), declared(v.Corpus)))
	}
	if v.Brought {
		s.NotProtected = append(s.NotProtected, broughtVectors)
	}
	s.probed(v.Probes)
}

// encoded adds the corpus of an encoder, and the table that it reads.
func (v Vectors) encoded(s *Statement) {
	if v.Corpus != nil {
		s.Corpus, s.Embeddings = corpusFiguresOf(v.Corpus), tableOfEncoder(v.Corpus)
	}
}

func (Vectors) again(_ *Statement, f Facts, counts Counts) (Facts, Counts, error) {
	return f, counts, nil
}
