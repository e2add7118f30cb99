package catalog

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

var exponentialEntry = mechanism.Entry{
	Name:     "exponential",
	Summary:  "exponential mechanism over the whole table by distance",
	Paper:    "McSherry, Talwar 2007 (mechanism); Chatzikokolakis et al. 2013 (metric form)",
	Notion:   privacy.Metric,
	Standing: privacy.Proved,
	Reviewed: "c254a0ede532bc39",
	Compared: true,
	Stops:    channelStops,
	Cost:     mechanism.Certificate,
	Parameters: []mechanism.Parameter{
		metrics.Parameter,
		metrics.Lambda,
		channel.NominalParameter,
	},
	New: newExponential,
}

// newExponential makes P(y|x) proportional to e^(-t d(x,y)) over all words, d any
// metric. With
// the published calibration t = epsilon/2.
func newExponential(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("exponential", spec)
	m := metrics.Read(ctx, p, table)
	family := exponentialFamilyOf(m)
	family.Pin(p, spec)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	return family.Open(ctx, spec, settings)
}

func exponentialFamilyOf(m metrics.Metric) channel.Family {
	key := ""
	if m.Name != "euclidean" {
		key = m.Name
	}
	return channel.Family{
		Who: "exponential", Metric: m, Key: key, Ships: key == "",
		At: func(nominal float64) (t, gamma float64) { return nominal / 2, math.Inf(1) },
	}
}

// channelStops are the stops of channels that fall with the distance alone.
var channelStops = slices.Concat(mechanism.Steps(0.5, 1, 0.25), mechanism.Steps(1.125, 2.5, 0.125), []float64{2.75, 3, 3.5, 4})
