package audit

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/mechanism"
)

// CodebookInfo identifies the codebook of an audit.
type CodebookInfo struct {
	Name       string `json:"name"`
	Texts      int    `json:"texts"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
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
