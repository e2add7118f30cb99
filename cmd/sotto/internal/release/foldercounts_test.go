package release

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/sotto-dp/sotto"
	runs "github.com/sotto-dp/sotto/run"
)

// Counts are read as they were written, and not where they lack the loss of marked texts.
func TestCountsOfARunHaveTheLossOfMarkedTexts(t *testing.T) {
	written := sotto.Counts{Documents: 2, Draws: 7, LongestDraws: 4, Spans: 1, RestTokens: 5, LongestLoss: 20.5}
	data, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := countsOf("run", &runs.Whole{Counts: data}); err != nil || c != written {
		t.Errorf("%+v, %v", c, err)
	}
	written.LongestLoss = 0
	if data, err = json.Marshal(written); err != nil {
		t.Fatal(err)
	}
	if _, err := countsOf("run", &runs.Whole{Counts: data}); !errors.Is(err, runs.ErrRecord) {
		t.Errorf("a record without the loss gives %v", err)
	}
}
