package audit

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Run audits a member of the catalogue as configured, by the strongest method
// that applies: enumeration for channels, analysis where a closed form refutes,
// sampling otherwise (of words where the member replaces words, else of vectors).
func Run(ctx context.Context, entry mechanism.Entry, spec mechanism.Spec, table *embedding.Table, version string, trial Trial) (*Finding, error) {
	if entry.New != nil {
		m, err := entry.New(table, spec)
		if err != nil {
			return nil, err
		}
		if c, ok := m.(mechanism.Channel); ok {
			f, err := Certify(ctx, entry, c, table, version, trial.Progress)
			if err == nil && f.Certificate != nil {
				f.Certificate.Request = RequestOf(spec)
			}
			return f, err
		}
		if f, err := Analyse(entry, m, table, table.Dim()); f != nil || err != nil {
			return f, err
		}
		return Sample(ctx, entry, m, table, trial)
	}
	if entry.NewPerturber == nil {
		return nil, fmt.Errorf("audit: %s makes neither words nor vectors", entry.Name)
	}
	p, err := entry.NewPerturber(table, spec)
	if err != nil {
		return nil, err
	}
	dim, _ := p.Dimensions()
	if f, err := Analyse(entry, p, table, dim); f != nil || err != nil {
		return f, err
	}
	return SampleVectors(ctx, entry, p, table, nil, trial)
}
