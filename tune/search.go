package tune

import (
	"context"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// The range of epsilons that is searched.
const (
	leastEpsilon = 0.05
	mostEpsilon  = 24
)

// mostRows bounds the exact rows that one search computes.
const mostRows = 8

// roughRows is the number of a table's words, evenly spread, in a rough figure.
const roughRows = 200

// searchEpsilon is Search with the parameters of spec.
func searchEpsilon(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec, target Target, fig figure) (Result, error) {
	s := search{ctx: ctx, entry: entry, table: table, spec: spec, fig: fig, target: target.Value, stride: 2, rough: map[float64]float64{}}
	if hasNominal(entry, spec) {
		if r, ok := keptSearch(entry, table, spec, target); ok {
			return r, nil
		}
		s.nominal = newNominal(&s)
	}
	if err := s.begin(); err != nil {
		return Result{}, err
	}
	correction := 0.0
	var best Row
	least, at := math.Inf(1), 0.0
	seen := map[float64]bool{}
	for range mostRows {
		epsilon, err := s.solve(correction)
		if err != nil {
			return Result{}, err
		}
		if seen[epsilon] {
			break
		}
		seen[epsilon] = true
		s.inside, s.stride = epsilon, 1.1
		row, err := s.exact(epsilon)
		if err != nil {
			return Result{}, err
		}
		v := fig.read(row)
		g := gap(v, target.Value)
		if fig.ahead(v, target.Value) > 1e-9 {
			g += 1 // serves only while nothing better is known
		}
		if math.IsNaN(g) || math.IsInf(g, 0) {
			g = math.MaxFloat64
		}
		if g < least {
			best, least, at = row, g, epsilon
		}
		if least <= tolerance/2 {
			break
		}
		r, err := s.look(epsilon)
		if err != nil {
			return Result{}, err
		}
		if c := fig.ahead(v, target.Value) - r; !math.IsNaN(c) && !math.IsInf(c, 0) {
			correction = c
		}
	}
	if s.nominal != nil {
		var err error
		if best, err = s.nominal.complete(at); err != nil {
			return Result{}, err
		}
	}
	r := fig.judge(best, target)
	if s.nominal != nil {
		r.Parameters = r.Parameters.With(s.nominal.parameter, at)
	}
	if least >= 1 {
		r.Reached = false
		bound := "at least"
		if fig.falling {
			bound = "at most"
		}
		r.Verdict = fmt.Sprintf("not reached: at any epsilon searched, %s of %s is %s %.4g; the nearest is epsilon %v", fig.words, entry.Name, bound, r.Found, best.Epsilon)
	}
	if s.nominal != nil {
		keepSearch(entry, table, spec, target, r)
	}
	return r, nil
}

type search struct {
	ctx     context.Context
	entry   mechanism.Entry
	table   *embedding.Table
	spec    mechanism.Spec
	fig     figure
	target  float64
	nominal *nominal            // nil unless epsilons below are values of that parameter
	inside  float64             // an epsilon that the member accepts
	stride  float64             // how far the first steps from there go, a factor
	rough   map[float64]float64 // by epsilon: how far ahead of the target
}

func (s *search) at(epsilon float64) mechanism.Spec {
	spec := s.spec
	spec.Epsilon = epsilon
	return spec
}

// open opens the member for a rough figure.
func (s *search) open(epsilon float64) (mechanism.Mechanism, error) {
	if s.nominal != nil {
		return s.nominal.roughly(epsilon)
	}
	return open(s.ctx, s.entry, s.table, s.at(epsilon))
}

// exact returns the row at epsilon, or at least the figures of it that the target needs.
func (s *search) exact(epsilon float64) (Row, error) {
	if s.nominal != nil {
		return s.nominal.exact(epsilon)
	}
	return Compare(s.ctx, s.entry, s.table, s.at(epsilon))
}
