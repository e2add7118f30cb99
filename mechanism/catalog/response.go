package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"github.com/sotto-dp/sotto/privacy"
)

var responseEntry = mechanism.Entry{
	Name:       "response",
	Summary:    "randomised response: the word itself with a fixed chance, any word otherwise",
	Paper:      "Warner 1965; Kairouz, Oh, Viswanath 2014, arXiv:1407.1338 (k-ary form)",
	Notion:     privacy.Pure,
	Standing:   privacy.Proved,
	Reviewed:   "28f89e9e95f66da5",
	Compared:   true,
	Stops:      mechanism.Steps(1, 16, 0.5),
	Cost:       mechanism.Free,
	WordsAlone: true,
	New:        newResponse,
}

// newResponse is neighbours with sets of one word, the input itself.
func newResponse(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	if _, err := parameters.Read("response", spec).Close(); err != nil {
		return nil, err
	}
	c, err := sets.NewWords("response", &sets.Nearest{Outputs: sets.Outputs{Table: table}, K: 1}, spec.Epsilon)
	if err != nil {
		return nil, err
	}
	c.InForce = append(c.InForce, mechanism.Setting{Name: neighboursOutputs.Name, Value: table.Len()})
	return c, nil
}
