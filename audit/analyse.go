package audit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Analyse refutes a published claim by its closed form. It returns nil if none
// is known for the member. dim is the number of dimensions of its noise.
func Analyse(entry mechanism.Entry, m Configured, table *embedding.Table, dim int) (*Finding, error) {
	switch {
	case entry.Published == nil:
		return nil, nil
	case entry.Analysis == mechanism.TruncatedNoise:
		return analyseTruncated(entry, m, table, dim)
	case entry.Analysis == mechanism.LatentNoise:
		return analyseAdept(entry, m, table, dim), nil
	case entry.Analysis == mechanism.RankedOutputs:
		return analyseRanked(entry, m, table)
	}
	return nil, nil
}

func analyseTruncated(entry mechanism.Entry, m Configured, table *embedding.Table, dim int) (*Finding, error) {
	f := newFinding(entry, m, table, Analysis)
	target := f.Target()
	c, ok := inForce(entry, m, mechanism.RoleClip)
	if !ok {
		return nil, fmt.Errorf("audit: %s has no parameter clip", entry.Name)
	}
	// Dummy dimensions calibrate the noise and are 0 in every input.
	dummies, _ := inForce(entry, m, mechanism.RoleDummies)
	padded := dim + int(dummies)
	root, ok := inForce(entry, m, mechanism.RoleRoot)
	if !ok {
		root = math.Pow(target.Delta, 1/float64(padded))
	}
	t, err := publishedTruncated(padded, c, target.Epsilon, root)
	if err != nil {
		return nil, err
	}
	t.Dim = dim
	worst, components := t.worstDelta()
	f.DeltaLow = Bound(worst)
	if worst > target.Delta*(1+1e-9) {
		f.Verdict = Refuted
		f.EpsilonLow = Bound(math.Inf(1)) // at the claimed delta no epsilon suffices
	}
	ends := Opposite(dim, c)
	f.Witness = &Triple{ends.InputName, ends.NeighbourName, "a vector beyond the neighbour's support", worst, 0}
	f.Why = fmt.Sprintf("On the overlap of two supports the loss is at most the claimed epsilon, so the true delta is the mass outside the other input's support. "+
		"For clipped vectors %.4g apart, spread over %d of %d components, it is %.4g, at every epsilon; claimed is %.4g.", 2*c, components, dim, worst, target.Delta)
	if components != dim {
		f.Witness = &Triple{fmt.Sprintf("a vector of norm %.4g with %d equal components", c, components), "its opposite", "a vector beyond the neighbour's support", worst, 0}
	}
	if table.Dim() == dim && table.Len() > 1 {
		d, a, b := t.worstWords(table, wordsAnalysed)
		f.Why += fmt.Sprintf(" Of the first %d words of the table the worst pair is '%s' and '%s': their noisy vectors have delta %.4g.", min(wordsAnalysed, table.Len()), table.Word(a), table.Word(b), d)
	}
	f.Why += " This is the delta of the noisy vector, which the published theorem is about. The nearest word can hide some of it: over this table what words alone show stays undecided here."
	return f, nil
}

// revealInWords samples the nearest word over a public table of dimensions + 3
// words that reveals as much as the noisy vector, and adds the result to the
// finding.
func revealInWords(ctx context.Context, f *Finding, entry mechanism.Entry, m Configured, spec mechanism.Spec, trial Trial) error {
	clip, _ := inForce(entry, m, mechanism.RoleClip)
	alpha, _ := number(m, "scale")
	bound, _ := number(m, "bound")
	t := truncated{Dim: f.Table.Dimensions, Clip: clip, Alpha: 1 / alpha, Bound: bound}
	table, err := t.revealingTable()
	if err != nil {
		return err
	}
	if p, ok := entry.Parameter(mechanism.RoleClip); ok {
		spec.Parameters = spec.Parameters.With(p, clip)
	}
	words, err := entry.New(ctx, table, spec)
	if err != nil {
		return err
	}
	up, _ := table.Lookup("up")
	down, _ := table.Lookup("down")
	trial.Pairs = [][2]embedding.ID{{up, down}}
	sampled, err := sample(ctx, entry, words, table, trial)
	if err != nil {
		return err
	}
	f.Draws, f.Confidence = sampled.Draws, sampled.Confidence
	f.Why += fmt.Sprintf(" Over a public table of %d words made to show it (two opposite words far out, one at 0, one along each axis) %d draws of the nearest word alone show a delta of at least %.4g.",
		table.Len(), sampled.Draws, float64(sampled.DeltaLow))
	return nil
}

// refused is a member at parameters that it does not accept.
type refused struct {
	claim    privacy.Claim
	settings []mechanism.Setting
}

func (r refused) Claim() privacy.Claim          { return r.claim }
func (r refused) Settings() []mechanism.Setting { return r.settings }

// analyseClassicalGaussian computes the true delta of the classical calibration
// beyond the epsilon at which its proof ends.
func analyseClassicalGaussian(entry mechanism.Entry, spec mechanism.Spec, table *embedding.Table) (*Finding, error) {
	claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Approximate, Epsilon: spec.Epsilon}
	if err := privacy.CheckEpsilon(entry.Name, claim.Epsilon); err != nil {
		return nil, err
	}
	p, ok := entry.Parameter(mechanism.RoleDelta)
	if !ok {
		return nil, fmt.Errorf("audit: %s has no delta", entry.Name)
	}
	value, err := spec.Parameters.Value(entry.Name, p)
	if err != nil {
		return nil, err
	}
	claim.Delta, _ = value.(float64)
	if err := privacy.CheckDelta(entry.Name, claim.Delta); err != nil {
		return nil, err
	}
	ratio := privacy.ClassicalGaussianRatio(claim.Epsilon, claim.Delta)
	truth := privacy.GaussianDelta(claim.Epsilon, ratio)
	f := newFinding(entry, refused{claim, []mechanism.Setting{{Name: "epsilon", Value: claim.Epsilon}, p.Setting(claim.Delta, spec.Parameters.Gives(p))}}, table, Analysis)
	f.DeltaLow = Bound(truth)
	f.Why = fmt.Sprintf("The classical standard deviation, sqrt(2 ln(1.25/delta))/epsilon times the sensitivity, is proved for epsilon up to 1. At epsilon = %g and delta = %g the exact delta of that noise is %.4g", claim.Epsilon, claim.Delta, truth)
	if truth > claim.Delta*(1+1e-9) {
		f.Verdict = Refuted
		f.Published, f.Claim.Delta = &claim, truth
		f.Why += ", above what it claims."
	} else {
		f.Why += ", which is within the claim, although the classical proof does not show it; the member refuses it all the same."
	}
	f.Why += fmt.Sprintf(" Noise of %.4g times the sensitivity is enough (gaussian-analytic); the classical is %.4g.", privacy.GaussianRatio(claim.Epsilon, claim.Delta), ratio)
	return f, nil
}

func analyseAdept(entry mechanism.Entry, m Configured, table *embedding.Table, dim int) *Finding {
	f := newFinding(entry, m, table, Analysis)
	target := f.Target()
	published, actual := adeptSensitivity(dim, 1)
	loss := target.Epsilon * actual / published
	f.EpsilonLow, f.EpsilonHigh, f.PureEpsilon, f.DeltaLow = Bound(loss*(1-1e-12)), Bound(loss*(1+1e-12)), Bound(loss*(1+1e-12)), 0
	if dim > 1 {
		f.Verdict = Refuted
		// The corner beyond both inputs: each component has density ratio
		// e^(2 epsilon/(2 sqrt n)), and its mass under the neighbour is (e^-a/2)^n.
		a := target.Epsilon / math.Sqrt(float64(dim))
		p := math.Pow(0.5, float64(dim))
		f.Witness = &Triple{"c (1, ..., 1)/sqrt(n)", "-c (1, ..., 1)/sqrt(n)", "a vector at or beyond the input in every component", p, p * math.Exp(-a*float64(dim))}
	}
	f.Why = fmt.Sprintf("Clipping %d components to l2 norm c leaves an l1 sensitivity of 2 c sqrt(%d) = %.6g c; the published noise pays for 2 c. "+
		"The two ends of the clipping ball along (1, ..., 1) lose epsilon sqrt(%d) = %.6g, and the claim is %.6g.", dim, dim, actual, dim, loss, target.Epsilon)
	return f
}

// adeptSensitivity returns the l1 sensitivity of clipping n components to l2
// norm c: 2 c sqrt(n), reached by c (1, ..., 1)/sqrt(n) and its opposite.
// ADePT's published noise pays for 2 c (Habernal 2021, Theorem 5.1 and its
// proof).
func adeptSensitivity(n int, c float64) (published, actual float64) {
	return 2 * c, 2 * c * math.Sqrt(float64(n))
}

// adeptShare returns Habernal's figure: of disjoint pairs among vectors random
// vectors of n components, clipped to l2 norm c, the share whose l1 difference
// passes the published sensitivity 2 c. component draws one component.
func adeptShare(n, vectors int, c float64, component func() float64) float64 {
	beyond := 0
	draw := func() []float64 {
		v := make([]float64, n)
		for k := range v {
			v[k] = component()
		}
		return clip(v, c)
	}
	for range vectors / 2 {
		a, b, l1 := draw(), draw(), 0.0
		for k := range a {
			l1 += math.Abs(a[k] - b[k])
		}
		if l1 > 2*c {
			beyond++
		}
	}
	return float64(beyond) / float64(vectors/2)
}

// adeptLatents are the two distributions of latent vectors in Habernal's figure.
func adeptLatents(rng *rand.Rand) map[string]func() float64 {
	return map[string]func() float64{
		"uniform": func() float64 { return rng.Float64() },
		"normal":  rng.NormFloat64,
	}
}
