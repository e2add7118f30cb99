package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

// AdeptShare is Habernal's figure: the share of pairs of random latent vectors,
// clipped to l2 norm clip, whose l1 difference exceeds the published sensitivity
// 2 clip, beside the ratio of the actual sensitivity to the published one (the
// factor by which the true epsilon is larger). Parameters: dimensions, clip,
// latents (uniform or normal), vectors.
func AdeptShare(_ context.Context, _ *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	rng := rand.New(rand.NewPCG(seed, 0xade))
	component := rng.NormFloat64
	switch p.Get("latents") {
	case "normal":
	case "uniform":
		component = rng.Float64
	default:
		return result.Outcome{}, fmt.Errorf("experiment: no latent vectors are called %q", p.Get("latents"))
	}
	clip, _ := p.Number("clip")
	n := number(p, "dimensions")
	published, actual := 2*clip, 2*clip*math.Sqrt(float64(n)) // l1 sensitivities of l2 norm clip
	beyond, pairs := 0, number(p, "vectors")/2
	for range pairs {
		a, b := latent(n, clip, component), latent(n, clip, component)
		l1 := 0.0
		for k := range a {
			l1 += math.Abs(a[k] - b[k])
		}
		if l1 > published {
			beyond++
		}
	}
	return result.Outcome{Values: map[string]float64{
		"share_beyond": float64(beyond) / float64(pairs), "epsilon_factor": actual / published,
	}}, nil
}

// latent draws n components and scales them to l2 norm clip where they are longer.
func latent(n int, clip float64, component func() float64) []float64 {
	v, squares := make([]float64, n), 0.0
	for k := range v {
		v[k] = component()
		squares += float64(v[k] * v[k])
	}
	if norm := math.Sqrt(squares); norm > clip {
		for k := range v {
			v[k] *= clip / norm
		}
	}
	return v
}

// VectorDelta compares the claim of a paper about a released vector with the truth in
// closed form, and refutes the claim by draws: for trlaplace-published claimed and true
// delta at the claimed epsilon, for adept-published claimed and true epsilon. Parameters: mechanism, dimensions, epsilon, draws.
func VectorDelta(ctx context.Context, _ *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	entry, ok := catalog.Find(p.Get("mechanism"))
	if !ok {
		return result.Outcome{}, fmt.Errorf("experiment: %q is not in the catalogue", p.Get("mechanism"))
	}
	const clip = 1
	epsilon, _ := p.Number("epsilon")
	dim := number(p, "dimensions")
	table, err := cloud(dim)
	if err != nil {
		return result.Outcome{}, err
	}
	m, err := entry.NewPerturber(ctx, table, mechanism.Spec{Epsilon: epsilon, Parameters: map[string]string{"clip": fmt.Sprint(clip)}})
	if err != nil {
		return leftOut(err)
	}
	claim, published := m.Claim(), audit.PublishedClaim(entry, m)
	out := result.Outcome{Evidence: result.Evidence{Claim: &claim, Published: published, Standing: &entry.Standing}, Values: map[string]float64{
		"epsilon_claimed": published.Epsilon, "epsilon_true": claim.Epsilon,
	}}
	if entry.Name == "trlaplace-published" {
		exact, err := audit.Analyse(entry, m, table, dim)
		if err != nil {
			return result.Outcome{}, err
		}
		out.Values["delta_claimed"], out.Values["delta_true"] = published.Delta, float64(exact.DeltaLow)
	}
	found, err := audit.SampleVectors(ctx, entry, m, table, audit.Trial{
		VectorPairs: []audit.VectorPair{audit.Opposite(dim, clip)}, Draws: number(p, "draws"), Rng: noise.Seeded(seed, 0)})
	if err != nil {
		return result.Outcome{}, err
	}
	if found.DeltaLow.Known() {
		out.Values["delta_sampled_low"] = float64(found.DeltaLow)
	}
	if found.EpsilonLow.Known() {
		out.Values["epsilon_sampled_low"] = float64(found.EpsilonLow)
	}
	out.Texts = map[string]string{"verdict": string(found.Verdict)}
	if found.Verdict == audit.Refuted {
		out.Evidence.Refutation = fmt.Sprintf("refuted by %d draws at confidence %g", found.Draws, found.Confidence)
	}
	return out, nil
}

// cloud returns a public table of Gaussian vectors: it only names the dimensions, and
// the clip is given.
func cloud(dim int) (*embedding.Table, error) {
	rng := rand.New(rand.NewPCG(uint64(dim), 0xc10d))
	src := embedding.Source{Name: fmt.Sprintf("gaussian %d-d", dim), Dim: dim}
	for x := range 8 {
		src.Words = append(src.Words, fmt.Sprint("w", x))
		for range dim {
			src.Vectors = append(src.Vectors, float32(rng.NormFloat64()))
		}
	}
	return embedding.New(src)
}
