package server

import (
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/playground"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/tune"
)

// figures answers from the shipped rows, else computes, one setting at a time.
func (s *Server) figures(e *gate.Exchange, r *http.Request) error {
	var req wire.FiguresRequest
	if err := e.Decode(&req); err != nil {
		return err
	}
	e.Sized = true // it holds no text
	if req.Whole() {
		return privacy.Bad("serve", "unit", "text", "word: there are no figures for whole texts")
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{})
	if err != nil {
		return err
	}
	a := wire.FiguresResponse{Reader: readerOf(rewriter), Curve: []tune.Row{}, Limits: []tune.Limit{}}
	asked, err := s.asked(&req.Opening, reading{})
	if err != nil {
		return err
	}
	entry, table := rewriter.Entry(), rewriter.Table()
	plain := len(asked.Param) == 0 && asked.Calibrate != "published"
	if plain {
		if a.Curve, err = curve(entry.Name, table); err != nil {
			return err
		}
	}
	at := slices.IndexFunc(a.Curve, func(row tune.Row) bool { return row.Epsilon == *asked.Epsilon })
	if at >= 0 {
		a.Row = a.Curve[at]
	} else if a.Row, err = s.compute(r.Context(), rewriter.Mechanism(), entry, table, asked.Spec(s.sources())); err != nil {
		return err
	}
	if plain {
		if a.MostExposed, err = playground.MostExposed(entry.Name, table, *asked.Epsilon); err != nil {
			return err
		}
	}
	if channel, ok := rewriter.Mechanism().(mechanism.Channel); ok && a.MostExposed == nil {
		if a.MostExposed, err = s.exposed(r.Context(), tune.Opened{Entry: entry, Channel: channel, Table: table}); err != nil {
			return err
		}
	}
	if c := a.Row.Claim; c.Notion == privacy.Pure || c.Notion == privacy.Approximate && c.Delta < 0.5 {
		if a.Limits, err = limits(a.Row, a.Curve, table.Len()); err != nil {
			return err
		}
	}
	return wire.Answer(e, http.StatusOK, a)
}

func readerOf(r *sotto.Rewriter) wire.FiguresReader {
	s := r.Statement(sotto.Counts{})
	reader := wire.FiguresReader{Sentence: s.Reader()}
	if found, ok := s.Measured(); ok {
		reader.Measured = &found
	}
	return reader
}

// curve returns a copy of the rows that ship for a mechanism.
func curve(member string, table *embedding.Table) ([]tune.Row, error) {
	rows, err := playground.Rows(member, table)
	return append([]tune.Row{}, rows...), err
}

// compute computes one row. It stops when its client leaves.
func (s *Server) compute(ctx context.Context, m mechanism.Mechanism, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) (row tune.Row, err error) {
	if _, ok := m.(mechanism.Channel); ok {
		if err := s.allPairs(table); err != nil {
			return row, err
		}
	}
	err = s.alone(ctx, func(ctx context.Context) (err error) {
		row, err = tune.Compare(ctx, entry, table, spec)
		return err
	})
	return row, err
}

// exposed computes the most exposed words of a channel. It stops when its client leaves.
func (s *Server) exposed(ctx context.Context, o tune.Opened) (*tune.Exposure, error) {
	if err := s.allPairs(o.Table); err != nil {
		return nil, err
	}
	var e tune.Exposure
	err := s.alone(ctx, func(ctx context.Context) (err error) {
		e, err = tune.MostExposed(ctx, o, s.cfg.Cache, nil)
		return err
	})
	e = e.First(playground.ExposedWords)
	return &e, err
}

// allPairs refuses figures that need all pairs of words of a large table.
func (s *Server) allPairs(table *embedding.Table) error {
	if table.Len() > figuresWords && !s.cfg.Slow {
		return wire.NewProblem(http.StatusForbidden, "slow-figures", "exact figures need all pairs of words, which takes long for a table of this size: the server must be started with slow openings allowed")
	}
	return nil
}

// limits computes the upper bound at the epsilons of a curve and at a row.
func limits(row tune.Row, curve []tune.Row, words int) ([]tune.Limit, error) {
	low, high := row.Epsilon, row.Epsilon
	for _, r := range curve {
		low, high = min(low, r.Epsilon), max(high, r.Epsilon)
	}
	const points = 48
	epsilons := []float64{row.Epsilon}
	for i := range points + 1 {
		epsilons = append(epsilons, low+(high-low)*float64(i)/points)
	}
	slices.Sort(epsilons)
	var all []tune.Limit
	for _, epsilon := range slices.Compact(epsilons) {
		most, err := audit.UnchangedLimit(epsilon, row.Claim.Delta, words)
		if err != nil {
			return nil, err
		}
		all = append(all, tune.Limit{Notion: row.Claim.Notion, Epsilon: epsilon, Unchanged: math.Min(1, most)})
	}
	return all, nil
}
