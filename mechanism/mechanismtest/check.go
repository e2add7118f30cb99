package mechanismtest

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Check opens a catalogue entry over a table, for words and for vectors where
// it has these uses, and returns every breach of the contract, joined. The
// table needs at least 20 words, and epsilon must be small enough that words
// often change: if 64 draws of one word all agree, Check reports that noise is
// shared or missing.
func Check(ctx context.Context, entry mechanism.Entry, table *embedding.Table, spec mechanism.Spec) error {
	b := &breaches{who: entry.Name}
	if entry.New == nil && entry.NewPerturber == nil {
		b.add("makes neither words nor vectors")
	}
	if entry.New != nil {
		m, err := entry.New(ctx, table, spec)
		if err != nil {
			return err
		}
		b.claim(entry, m, spec)
		b.words(m, table)
		b.above(ctx, entry, table, spec)
		b.parameters(entry, spec, func(s mechanism.Spec) error { _, err := entry.New(ctx, table, s); return err })
	}
	if entry.NewPerturber != nil {
		p, err := entry.NewPerturber(ctx, table, spec)
		if err != nil {
			return err
		}
		b.claim(entry, p, spec)
		b.vectors(p)
		b.parameters(entry, spec, func(s mechanism.Spec) error { _, err := entry.NewPerturber(ctx, table, s); return err })
	}
	return errors.Join(b.list...)
}
