package release

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto"
	runs "github.com/sotto-dp/sotto/run"
)

// Recorded are the counts of one output that the report of a run needs. They follow from
// the number of texts and their numbers of tokens. With --consistent a text is charged
// for its distinct words: the draws then depend on which of its tokens are the same word,
// which no claim for words protects.
type Recorded struct {
	Documents        int `json:"documents"`
	Tokens           int `json:"tokens,omitempty"`
	LongestTokens    int `json:"document_tokens_max,omitempty"`
	Draws            int `json:"draws"`
	LongestDraws     int `json:"document_draws_max"`
	ClampedDocuments int `json:"clamped_documents,omitempty"`
	ClampedTokens    int `json:"clamped_tokens,omitempty"`
	// Marks, the bits of their types, and the tokens of those without a codebook.
	Spans      int    `json:"spans,omitempty"`
	Types      uint64 `json:"types_bits,omitempty"`
	RestTokens int    `json:"rest_tokens,omitempty"`
}

// RecordOf leaves out what the statement does not publish.
func RecordOf(c sotto.Counts, s sotto.Statement) Recorded {
	r := Recorded{c.Documents, c.Tokens, c.LongestTokens, c.Draws, c.LongestDraws, c.ClampedDocuments, c.ClampedTokens, c.Spans, c.Types, c.RestTokens}
	if s.Tokens == nil {
		r.Tokens, r.LongestTokens = 0, 0
	}
	return r
}

// wholeOf describes a whole output.
func wholeOf(name string, c sotto.Counts, s sotto.Statement) (*runs.Whole, error) {
	sum, err := runs.Local{}.Sum(context.Background(), name)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(RecordOf(c, s))
	return &runs.Whole{SHA256: sum, Counts: data}, err
}

// countsOf returns the counts of a whole output.
func countsOf(log *runs.Log, w *runs.Whole) (sotto.Counts, error) {
	var c Recorded
	if err := json.Unmarshal(w.Counts, &c); err != nil {
		return sotto.Counts{}, fmt.Errorf("%s: %w", log.Name(), runs.ErrRecord)
	}
	return c.Counts(), nil
}

func (c Recorded) Counts() sotto.Counts {
	return sotto.Counts{
		Documents: c.Documents, Tokens: c.Tokens, LongestTokens: c.LongestTokens, Draws: c.Draws,
		LongestDraws: c.LongestDraws, ClampedDocuments: c.ClampedDocuments, ClampedTokens: c.ClampedTokens,
		Spans: c.Spans, Types: c.Types, RestTokens: c.RestTokens,
	}
}
