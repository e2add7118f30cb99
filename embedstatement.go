package sotto

import (
	"encoding/json"
	"math"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
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

// Statement states what holds for all that was counted.
func (e *Embedder) Statement(counts Counts) EmbedStatement {
	claim := e.claim()
	s := EmbedStatement{
		Statement:     newStatement(e.entry, e.perturber, e.table, counts, e.draws.seeded()),
		vectorFigures: vectorFigures{Of: e.of, Vectors: counts.Documents, Components: e.Dimensions(), Raw: e.raw},
	}
	s.Claim = claim
	if u, ok := e.perturber.(mechanism.Unbiased); ok {
		debias := u.Debias()
		s.Debias = &debias
	}
	if c, ok := e.perturber.(mechanism.Coded); ok {
		channel, codebook := c.Channel()
		s.Certificate = audit.KnownTextsCertificate(e.entry.Name, channel, codebook)
		s.Certificate.OpenedWith(e.spec)
		s.Certificate.ProgramVersion = Version
	}
	spent := 1
	if e.of == Words {
		s.Vectors, spent = counts.Tokens, counts.LongestTokens
	}
	s.total(pureLoss(e.perturber, claim, e.table)+e.roundingLoss(), spent)
	if e.of == Words {
		s.NotProtected = append(s.NotProtected,
			"whole texts as one secret: losses add up over the vectors of a text",
			"the number of tokens of each text, and what the tokenizer decides")
		if e.table.Segmentation().Kind() == segment.Pieces {
			s.NotProtected = append(s.NotProtected, piecesAreWords)
		}
	} else {
		s.Tokens, s.LongestTokens = nil, nil
		s.NotProtected = append(s.NotProtected, "the number of records and their order: each has one vector per field, also one without a text")
		if claim.Unit == privacy.Text {
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
	return s
}

// roundingLoss bounds what a metric claim loses over the diameter of the words
// because averages are rounded to float32: a rounded average may be outside the
// words' hull, by at most 2^-24 of its norm.
func (e *Embedder) roundingLoss() float64 {
	claim := e.perturber.Claim()
	if e.of != Documents || claim.Notion != privacy.Metric && claim.Notion != privacy.MetricApproximate {
		return 0
	}
	longest := 0.0
	var v []float32
	for i := range e.table.Len() {
		v = e.table.Vector(v[:0], embedding.ID(i))
		square := 0.0
		for _, x := range v {
			square += float64(float64(x) * float64(x))
		}
		longest = max(longest, square)
	}
	// Twice, for the two averages, and once more for the roundings of the sums.
	return claim.Epsilon * 0x1p-22 * (math.Sqrt(longest) + float64(float64(len(v))*0x1p-126))
}
