package audit

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Options configure an audit.
type Options struct {
	// Spec configures the member.
	Spec mechanism.Spec
	// Trial configures sampling, and has the progress callback of every method.
	Trial Trial
	// Version is the program's version in the certificate. It may be empty.
	Version string
}

// Run audits a member of the catalogue, or an entry made for a mechanism outside
// it, as the options configure it. It uses the strongest method that applies:
// enumeration for channels, analysis if a closed form refutes, sampling
// otherwise. It audits the replacement of words if the member does that, else
// the release of vectors, like [RunVectors].
func Run(ctx context.Context, entry mechanism.Entry, table *embedding.Table, opts Options) (*Finding, error) {
	spec, trial := opts.Spec, opts.Trial
	if entry.Analysis == mechanism.ClassicalGaussian && spec.Epsilon > 1 { // which the member itself refuses
		if err := unkept(entry, trial.Keep); err != nil {
			return nil, err
		}
		return analyseClassicalGaussian(entry, spec, table)
	}
	if entry.New != nil {
		m, err := entry.New(ctx, table, spec)
		if err != nil {
			return nil, err
		}
		if _, ok := m.(mechanism.Resumable); !ok {
			if err := unkept(entry, trial.Keep); err != nil {
				return nil, err
			}
		}
		if c, ok := m.(mechanism.Channel); ok {
			f, err := certify(ctx, entry, c, table, trial)
			if err == nil && f.Certificate != nil {
				f.Certificate.OpenedWith(spec)
				f.Certificate.ProgramVersion = opts.Version
			}
			return f, err
		}
		f, err := Analyse(entry, m, table, table.Dim())
		if err == nil && f != nil && entry.Analysis == mechanism.TruncatedNoise {
			err = revealInWords(ctx, f, entry, m, spec, trial)
		}
		if f != nil || err != nil {
			return f, err
		}
		return sample(ctx, entry, m, table, trial)
	}
	if entry.NewPerturber == nil && entry.NewRetriever != nil {
		return nil, fmt.Errorf("audit: %s replaces whole texts: it is audited over a codebook, not over a table", entry.Name)
	}
	return RunVectors(ctx, entry, table, opts)
}

// RunVectors audits the release of vectors by a member, like [Run].
func RunVectors(ctx context.Context, entry mechanism.Entry, table *embedding.Table, opts Options) (*Finding, error) {
	if entry.NewPerturber == nil {
		return nil, fmt.Errorf("audit: %s does not release vectors", entry.Name)
	}
	if err := unkept(entry, opts.Trial.Keep); err != nil {
		return nil, err
	}
	p, err := entry.NewPerturber(ctx, table, opts.Spec)
	if err != nil {
		return nil, err
	}
	if c, ok := p.(mechanism.Coded); ok {
		channel, codebook := c.Channel()
		return runRows(ctx, entry, channel, codebook, opts)
	}
	dim, _ := p.Dimensions()
	if f, err := Analyse(entry, p, table, dim); f != nil || err != nil {
		return f, err
	}
	return SampleVectors(ctx, entry, p, table, opts.Trial)
}

// unkept returns an error if keep asks for what only a resumable certifier can do.
func unkept(entry mechanism.Entry, keep mechanism.Keep) error {
	switch {
	case keep.Save != nil:
		return fmt.Errorf("audit: a certificate of %s cannot resume from a state file", entry.Name)
	case keep.Memory > 0:
		return fmt.Errorf("audit: a certificate of %s cannot be computed within a memory limit", entry.Name)
	}
	return nil
}
