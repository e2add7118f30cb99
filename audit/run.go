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

func (t Trial) draws() int {
	if t.Draws == 0 {
		return 20000
	}
	return max(4, t.Draws)
}

func (t Trial) alarm() float64 {
	if t.Alarm == 0 {
		return 1e-6
	}
	return t.Alarm
}

// looksPerPair: both directions of a pair are searched for two goals, the largest
// loss at the claim's delta and the largest delta at the claim's epsilon.
const looksPerPair = 4

// alpha divides the false-positive rate, less the share that was spent before,
// among all looks: each tests one event by two bounds.
func (t Trial) alpha(pairs int, spent float64) float64 {
	return t.alarm() * (1 - spent) / float64(2*looksPerPair*pairs)
}

// RunTexts audits a member for whole texts over a codebook. It computes and compares the
// rows of hostile vectors and, if the codebook gives their vectors, of its texts. No list
// covers all inputs. The finding extends to all of them because every row has only two
// weights, whose ratio is compared, and because no draw is made from a set of another size.
func RunTexts(ctx context.Context, entry mechanism.Entry, codebook mechanism.Codebook, opts Options) (*Finding, error) {
	if entry.NewRetriever == nil {
		return nil, fmt.Errorf("audit: %s does not replace whole texts", entry.Name)
	}
	if err := unkept(entry, opts.Trial.Keep); err != nil {
		return nil, err
	}
	r, err := entry.NewRetriever(ctx, codebook, opts.Spec)
	if err != nil {
		return nil, err
	}
	return runRows(ctx, entry, r, codebook, opts)
}

// runRows audits the rows of a channel over a codebook, which the options opened.
func runRows(ctx context.Context, entry mechanism.Entry, r mechanism.Retriever, codebook mechanism.Codebook, opts Options) (*Finding, error) {
	f := newFinding(entry, r, nil, Enumeration)
	f.Codebook = &CodebookInfo{codebook.Name(), codebook.Len(), codebook.Dim(), codebook.Digest()}
	rows, err := compareRows(ctx, r, codebook, textInputs(codebook), opts.Trial.Progress)
	if err != nil {
		return nil, err
	}
	f.EpsilonLow, f.EpsilonHigh, f.PureEpsilon = Bound(rows.attained), Bound(rows.most), Bound(rows.most)
	if rows.attained > 0 {
		f.Witness = &Triple{
			Input: rows.inside.name, Neighbour: rows.outside.name, Output: textName(codebook, rows.text),
			ProbabilityInput: float64(rows.high) / rows.total, ProbabilityNeighbour: float64(rows.low) / rows.total,
		}
	}
	levels := r.Levels()
	f.levels = &levels
	claimed := f.Target().Epsilon
	f.Why = fmt.Sprintf("The integer weights %d and %d are the only two in the rows of %d inputs, hostile ones included; each row has the larger one %d times. Their loss is between %.6g and %.6g",
		rows.high, rows.low, rows.compared, rows.size, rows.attained, rows.most)
	switch {
	case rows.most <= claimed:
		f.Verdict, f.DeltaLow = Certified, 0
		f.Why += fmt.Sprintf(", which is at most the %.6g claimed. Every set that the mechanism draws from has this size, so the rows of all other inputs have the same two weights.", claimed)
		f.Certificate = rows.certificate(entry.Name, r, codebook)
		f.Certificate.OpenedWith(opts.Spec)
		f.Certificate.ProgramVersion = opts.Version
	case rows.attained > claimed:
		f.Verdict = Refuted
		f.Why += fmt.Sprintf(", above the %.6g claimed.", claimed)
	default:
		f.Why += fmt.Sprintf("; the %.6g claimed lies between the two.", claimed)
	}
	return f, nil
}
