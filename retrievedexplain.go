package sotto

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto/corpus"
)

// ExplainedText is the exact output distribution of one whole text.
type ExplainedText struct {
	Text       string       `json:"text"`
	Neighbours int          `json:"neighbours"` // k, the size of its set
	Inside     float64      `json:"inside"`     // probability of an output in the set
	Outputs    []TextOutput `json:"outputs"`    // by probability; equal ones by similarity to the text
}

// TextOutput is one possible output.
type TextOutput struct {
	Index       int     `json:"index"`
	Text        string  `json:"text"`
	Probability float64 `json:"probability"`
}

// ExplainText returns the output distribution of one whole text with its top most
// probable outputs; 0 means all. It is as private as the text.
func (r *Rewriter) ExplainText(text string, top int) (ExplainedText, error) {
	p := r.corpus
	if p == nil {
		return ExplainedText{}, &NoChannelError{r.Entry().Name}
	}
	vector, err := p.Vector(context.Background(), []byte(text))
	if err != nil {
		return ExplainedText{}, err
	}
	levels := p.Retriever.Levels()
	row, err := p.Retriever.Weights(nil, vector)
	if err != nil {
		return ExplainedText{}, err
	}
	total := 0.0
	for _, w := range row {
		total += float64(w)
	}
	near, err := p.Retrieval.Corpus.Search(vector, p.Retrieval.Corpus.Len())
	if err != nil {
		return ExplainedText{}, err
	}
	// The set comes first, nearest first: in the order of near, which is sorted by
	// similarity.
	slices.SortStableFunc(near, func(a, b corpus.Match) int {
		switch {
		case row[a.Index] > row[b.Index]:
			return -1
		case row[a.Index] < row[b.Index]:
			return 1
		}
		return 0
	})
	if top > 0 {
		near = near[:min(top, len(near))]
	}
	e := ExplainedText{Text: text, Neighbours: levels.Size, Inside: levels.Inside * float64(levels.Size), Outputs: make([]TextOutput, 0, len(near))}
	for _, m := range near {
		e.Outputs = append(e.Outputs, TextOutput{m.Index, p.Retrieval.Corpus.Text(m.Index), float64(row[m.Index]) / total})
	}
	return e, nil
}
