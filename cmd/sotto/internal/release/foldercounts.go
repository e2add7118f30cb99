package release

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto"
	runs "github.com/sotto-dp/sotto/run"
)

// Stated returns the counts of a part of a run that its statement needs, without those that
// the statement does not publish. They follow from the number of texts and their numbers of
// tokens. With --consistent a text is charged for its distinct words: the draws then depend on
// which of its tokens are the same word, which no claim for words protects.
func Stated(c sotto.Counts, s sotto.Statement) sotto.Counts {
	if s.Tokens == nil {
		c.Tokens, c.LongestTokens = 0, 0
	}
	return c
}

// wholeOf describes a whole output.
func wholeOf(name string, c sotto.Counts, s sotto.Statement) (*runs.Whole, error) {
	sum, err := runs.Local{}.Sum(context.Background(), name)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(Stated(c, s))
	return &runs.Whole{SHA256: sum, Counts: data}, err
}

// settleRest removes what killed runs left, and returns the counts of the outputs of the run
// beside these: the report is about all that the folder releases.
func settleRest(ctx context.Context, log *runs.Log, outputs []string) (counts sotto.Counts, err error) {
	if err := log.Sweep(outputs); err != nil {
		return counts, err
	}
	left, err := log.Left(ctx, outputs)
	if err != nil {
		return counts, refusal(err)
	}
	for _, whole := range left {
		one, err := countsOf(log, whole)
		if err != nil {
			return counts, err
		}
		counts.Add(one)
	}
	return counts, nil
}

// countsOf returns the counts of a whole output.
func countsOf(log *runs.Log, w *runs.Whole) (c sotto.Counts, err error) {
	if json.Unmarshal(w.Counts, &c) != nil {
		return sotto.Counts{}, fmt.Errorf("%s: %w", log.Name(), runs.ErrRecord)
	}
	return c, nil
}
