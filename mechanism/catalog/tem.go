package catalog

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

var temEntry = mechanism.Entry{
	Name:       "tem",
	Summary:    "truncated exponential mechanism: near words by distance, far words alike",
	Paper:      "Carvalho, Vasiloudis, Feyisetan, Wang 2021, arXiv:2107.07928 (TEM), Algorithms 2 and 3, Theorems 4.1 and 4.2",
	Notion:     privacy.Metric,
	Standing:   privacy.Proved,
	Reviewed:   "c657cef9801aff87",
	Compared:   true,
	Stops:      channelStops,
	Cost:       mechanism.Certificate,
	Parameters: []mechanism.Parameter{temBeta, temGamma, channel.NominalParameter},
	New:        newTEM,
}

var (
	// The default is that of the paper's experiments.
	temBeta  = mechanism.Parameter{Name: "beta", Kind: mechanism.Number, Default: "0.001", Accepts: mechanism.Inside(0, 1), Help: "share of far words in a row"}
	temGamma = mechanism.Parameter{Name: "gamma", Kind: mechanism.Number, Default: "Theorem 4.2's", Accepts: mechanism.Positive(), Help: "truncation distance: all words beyond it are drawn with the same probability"}
)

// newTEM makes the mechanism of the TEM paper: P(y|x) proportional to
// e^(-epsilon min(d, gamma)/2), its far words drawn through one bottom element.
// gamma = (2/epsilon) ln((1-beta)(V-1)/beta) (Theorem 4.2) keeps the far words'
// share of a row below beta.
func newTEM(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("tem", spec)
	beta := p.Number(temBeta)
	asked, given := p.Optional(temGamma)
	family := temFamily(table, beta, asked, given)
	family.Pin(p, spec)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	return family.Open(ctx, spec, settings)
}

// temFamily returns TEM with Theorem 4.2's gamma, or with a given one.
func temFamily(table *embedding.Table, beta, gamma float64, given bool) channel.Family {
	usual, _ := temBeta.Fixed()
	return channel.Family{
		Who: "tem", Metric: metrics.Euclidean(table), Key: parameters.Key(beta, gamma), Ships: beta == usual && !given,
		At: func(nominal float64) (float64, float64) {
			if given {
				return nominal / 2, gamma
			}
			return nominal / 2, theoremGamma(nominal, beta, table.Len())
		},
	}
}

// theoremGamma returns the truncation distance of the TEM paper's Theorem 4.2 for its
// parameter epsilon: (2/epsilon) ln((1-beta)(V-1)/beta), at least 0.
func theoremGamma(epsilon, beta float64, words int) float64 {
	return max(0, 2/epsilon*elementary.Log((1-beta)*float64(words-1)/beta))
}
