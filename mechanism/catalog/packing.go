package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/privacy"
)

var packingEntry = mechanism.Entry{
	Name:         "packing",
	Summary:      "keeps words as often as metric privacy allows at all, and moves the others least",
	Paper:        "sotto; floors and caps around the packing linear program, as in the note",
	Notion:       privacy.Metric,
	Standing:     privacy.Proved,
	Reviewed:     "3a7249a24e66a92c",
	DefaultFor:   []mechanism.Default{{Use: mechanism.UseWords, Notion: privacy.Metric}},
	Compiled:     mechanism.Searched,
	Stops:        []float64{1, 1.25, 1.5, 2, 3}, // those whose channels ship
	Cost:         mechanism.Solver,
	ShippedWords: packing.Words,
	Parameters:   []mechanism.Parameter{packingChannel, packing.GapParameter},
	New:          newPacking,
}

var packingChannel = mechanism.Parameter{Name: "channel", Kind: mechanism.File, Role: mechanism.RoleChannel, Default: "compiled for the table and epsilon", Help: "channel file to open"}

// newPacking opens a channel file, a cached channel, one that ships with the
// program for the largest epsilon at or below the requested one, or, over a
// small table, solves for one.
func newPacking(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("packing", spec)
	file, given := p.File(packingChannel)
	gap := p.Number(packing.GapParameter)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	return packing.Open(ctx, packing.Request{Table: table, Spec: spec, File: file, Given: given, Gap: gap, Settings: settings})
}
