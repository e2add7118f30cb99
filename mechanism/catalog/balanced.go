package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/mechanism/packing"
	"github.com/sotto-dp/sotto/privacy"
)

var balancedEntry = mechanism.Entry{
	Name:       "balanced",
	Summary:    "exponential mechanism under the base measure that levels the rows",
	Paper:      "sotto; non-negative relaxation of the tight-constraints mechanism (ElSalamouny et al. 2014), with a certificate",
	Notion:     privacy.Metric,
	Standing:   privacy.Proved,
	Reviewed:   "a9f1961ccf8b6bac",
	Compiled:   mechanism.Solved,
	Stops:      channelStops,
	Cost:       mechanism.Pairs,
	Parameters: []mechanism.Parameter{balancedChannel},
	New:        newBalanced,
}

var balancedChannel = mechanism.Parameter{Name: "channel", Kind: mechanism.File, Role: mechanism.RoleChannel, Default: "solved for the table and epsilon", Help: "channel file to open"}

// newBalanced makes P(y|x) proportional to c(y) e^(-t d(x,y)), c the solution of
// the non-negative problem min 1/2 c'Kc - 1'c and t the largest value found
// whose certificate is at most epsilon.
func newBalanced(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("balanced", spec)
	file, given := p.File(balancedChannel)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	return packing.OpenBalanced(ctx, packing.Request{Table: table, Spec: spec, File: file, Given: given, Settings: settings})
}
