package packing

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/privacy"
)

// onTheFly is the largest table for which packing solves without an explicit compilation.
const onTheFly = 4000

// Request is a member's request for a channel.
type Request struct {
	Table    *embedding.Table
	Spec     mechanism.Spec
	File     string // of the channel
	Given    bool   // whether there is such a file
	Gap      float64
	Settings []mechanism.Setting
}

// Open opens a channel file, a cached channel, one that ships with the program
// for the largest epsilon at or below the requested one, or, over a small
// table, solves for one.
func Open(ctx context.Context, r Request) (mechanism.Mechanism, error) {
	table, spec := r.Table, r.Spec
	open := func(c *File) (mechanism.Mechanism, error) {
		return newPacked(table, c, append(r.Settings, mechanism.Setting{Name: "certified", Value: c.Epsilon})), nil
	}
	if r.Given {
		c, err := openFor(ctx, table, "packing", r.File, spec)
		if err != nil {
			return nil, err
		}
		return open(c)
	}
	c, ok := kept(ctx, table, "packing", spec, parameters.Key(r.Gap))
	if ok {
		return open(c)
	}
	if c, ok, err := shippedFor(table, "packing", spec.Epsilon); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return open(c)
	}
	if table.Len() > onTheFly {
		if ready := shippedEpsilons(table, "packing"); len(ready) > 0 {
			return nil, privacy.Bad("packing", "epsilon", spec.Epsilon, fmt.Sprintf("at least %g: for a smaller one, compile a channel first", slices.Min(ready)))
		}
		return nil, fmt.Errorf("packing: no channel ships for %d words: compile one and give it as the parameter channel, or use at most %d words (%d of the embedded table's come with channels)",
			table.Len(), onTheFly, Words)
	}
	e := Effort{Gap: r.Gap, Progress: spec.Progress}
	if solving := spec.Progress.Stage("packing: solving"); solving != nil {
		e.Solving = func(sweep int, value, bound float64) { solving.At(min(sweep, mostSweeps), mostSweeps) }
	}
	data, err := compilePacking(ctx, table, spec.Epsilon, e)
	if err != nil {
		return nil, err
	}
	keep("packing", table, spec, parameters.Key(r.Gap), data)
	if c, err = Read(data); err != nil {
		return nil, err
	}
	c.source = mechanism.Computed
	return open(c)
}

// OpenBalanced opens a channel file or a cached channel, or solves for one.
func OpenBalanced(ctx context.Context, r Request) (mechanism.Mechanism, error) {
	if r.Given {
		c, err := openFor(ctx, r.Table, "balanced", r.File, r.Spec)
		if err != nil {
			return nil, err
		}
		return openBalanced(r.Table, c, r.Settings), nil
	}
	c, ok := kept(ctx, r.Table, "balanced", r.Spec, "")
	if !ok {
		data, err := compileBalanced(ctx, r.Table, r.Spec.Epsilon, Effort{Progress: r.Spec.Progress})
		if err != nil {
			return nil, err
		}
		keep("balanced", r.Table, r.Spec, "", data)
		if c, err = Read(data); err != nil {
			return nil, err
		}
		c.source = mechanism.Computed
	}
	return openBalanced(r.Table, c, r.Settings), nil
}

// openFor reads a channel file for a table and certifies it; its epsilon must be
// at most the requested one, since a claim names what was certified.
func openFor(ctx context.Context, table *embedding.Table, who, file string, spec mechanism.Spec) (*File, error) {
	f, err := spec.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", who, err)
	}
	defer f.Close()
	c, err := readChannel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", who, err)
	}
	if err := c.fits(who, table); err != nil {
		return nil, err
	}
	if c.Epsilon > spec.Epsilon {
		return nil, privacy.Bad(who, "epsilon", spec.Epsilon, fmt.Sprintf("at least %g, which the channel file certifies", c.Epsilon))
	}
	if err := c.certify(ctx, table, spec.Progress); err != nil {
		return nil, err
	}
	return c, nil
}

// kept looks for a compiled channel in the cache. One whose certificate does not
// hold counts as absent.
func kept(ctx context.Context, table *embedding.Table, who string, spec mechanism.Spec, key string) (*File, bool) {
	var data []byte
	if !mechanism.Recall(spec.Cache, cacheKey(who, table, spec, key), &data) {
		return nil, false
	}
	c, err := Read(data)
	if err != nil || c.fits(who, table) != nil || c.Epsilon != spec.Epsilon || c.certify(ctx, table, spec.Progress) != nil || c.source != mechanism.Computed {
		return nil, false
	}
	return c, true
}

func keep(who string, table *embedding.Table, spec mechanism.Spec, key string, data []byte) {
	mechanism.Remember(spec.Cache, cacheKey(who, table, spec, key), data)
}

func cacheKey(who string, table *embedding.Table, spec mechanism.Spec, key string) string {
	return fmt.Sprintf("%s-%s-channel-%s-%x", table.Digest(), who, key, math.Float64bits(spec.Epsilon))
}
