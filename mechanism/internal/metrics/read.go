package metrics

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
)

// Parameter chooses the metric.
var Parameter = mechanism.Parameter{Name: parameterName, Kind: mechanism.Choice, Default: "euclidean", Accepts: mechanism.OneOf(Names()...),
	Help: "distance between words; hyperbolic needs vectors inside the unit ball"}

// Names lists every metric, euclidean first.
func Names() (names []string) {
	for _, m := range all {
		names = append(names, m.name)
	}
	return names
}

// Read reads the parameters metric and lambda, and checks the metric.
func Read(ctx context.Context, p *parameters.Reader, table *embedding.Table) Metric {
	name, given := p.Choice(Parameter)
	if given && name == "" { // refused
		return Metric{}
	}
	if name == "euclidean" {
		return Euclidean(table)
	}
	p.Set(Parameter, name)
	for _, known := range all {
		if known.name != name {
			continue
		}
		m, err := known.make(ctx, p, table)
		if err == nil && p.Err == nil {
			err = m.check(p.Who)
		}
		if err != nil {
			p.Fail(err)
			return Metric{}
		}
		if m.Table != table { // its vectors are computed: the numbers themselves are named
			p.Note("metric-sha256", m.Table.Digest())
		}
		return m
	}
	panic("a metric of the declaration is not in the list")
}

// mahalanobisMetric returns sqrt((x-y)' S^-1 (x-y)) for the S of mahalanobis: the
// Euclidean distance of L^-1 x, L L' = S.
func mahalanobisMetric(ctx context.Context, who string, table *embedding.Table, lambda float64) (Metric, error) {
	chol, err := Shape(ctx, who, table, lambda)
	if err != nil {
		return Metric{}, err
	}
	var l mat.TriDense
	chol.LTo(&l)
	dim := table.Dim()
	white, err := Mapped(ctx, table, dim, func(dst []float64, v []float32) {
		for i := range dim { // forward substitution
			s := float64(v[i])
			for k := range i {
				s -= float64(l.At(i, k) * dst[k])
			}
			dst[i] = s / l.At(i, i)
		}
	})
	if err != nil {
		return Metric{}, err
	}
	m := Euclidean(white)
	m.Name = MahalanobisName(lambda)
	return m, nil
}

// all lists every metric, euclidean first. A test enumerates the certificate of
// each over tables that provoke rounding.
var all = []struct {
	name string
	make func(ctx context.Context, p *parameters.Reader, table *embedding.Table) (Metric, error)
}{
	{"euclidean", func(_ context.Context, _ *parameters.Reader, table *embedding.Table) (Metric, error) {
		return Euclidean(table), nil
	}},
	{"angular", func(_ context.Context, p *parameters.Reader, table *embedding.Table) (Metric, error) {
		return angular(p.Who, table)
	}},
	{"mahalanobis", func(ctx context.Context, p *parameters.Reader, table *embedding.Table) (Metric, error) {
		lambda := p.Number(Lambda)
		if p.Err != nil {
			return Metric{}, p.Err
		}
		return mahalanobisMetric(ctx, p.Who, table, lambda)
	}},
	{"hyperbolic", func(_ context.Context, p *parameters.Reader, table *embedding.Table) (Metric, error) {
		return hyperbolic(p.Who, table)
	}},
}
