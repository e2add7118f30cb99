package synthesis

import (
	"math"

	"github.com/sotto-dp/sotto/privacy"
)

// Guess returns the probability that the best guess is right whether a canary took part in
// a release, if both cases are equally likely. The canary is that of [Plan.Attack], and all
// other records are known. The probability is exact over all draws, up to the rounding of
// float64. It is computed for Laplace noise alone.
func (p *Plan) Guess() (float64, error) {
	if p.noise.variance > 0 {
		return 0, privacy.Bad(Name, "delta", p.o.Delta, "0: the best guess of a membership is computed for Laplace noise")
	}
	without, with := p.worlds()
	s := &p.noise
	// The noise of the counts is independent, and the clustering follows from the noisy
	// count of records. The canary changes one cell of each clustering by as much.
	all := []ratio{{0, 1}}
	all = combined(all, ratios(s.rate(s.far), with.near-without.near))
	all = combined(all, ratios(s.rate(s.far), with.far-without.far))
	if s.count > 0 {
		all = combined(all, ratios(s.rate(s.count), with.records-without.records))
	}
	for i, n := range with.cells[0] {
		all = combined(all, ratios(s.rate(s.histogram), n-without.cells[0][i]))
	}
	right := 0.0
	for _, r := range all {
		right += float64(r.chance * max(1, math.Exp(r.log)) / 2)
	}
	return min(1, right), nil
}

// ratio is a logarithm of the likelihood ratio of a release, with the canary to without it,
// and its probability without the canary.
type ratio struct{ log, chance float64 }

// ratios returns the ratios of one count that the canary raises, with discrete Laplace noise
// k. They are rate times |k| - |k - raised|.
func ratios(rate float64, raised int64) []ratio {
	if raised == 0 {
		return []ratio{{0, 1}}
	}
	r := math.Exp(-rate)
	all := []ratio{{-rate * float64(raised), 1 / (1 + r)}} // k <= 0
	for k := int64(1); k < raised; k++ {
		all = append(all, ratio{rate * float64(2*k-raised), (1 - r) / (1 + r) * math.Exp(-rate*float64(k))})
	}
	return append(all, ratio{rate * float64(raised), math.Exp(-rate*float64(raised)) / (1 + r)})
}

// combined returns the ratios of two independent counts.
func combined(a, b []ratio) []ratio {
	if len(b) == 1 && b[0].log == 0 {
		return a
	}
	var all []ratio
	for _, x := range a {
		for _, y := range b {
			all = append(all, ratio{x.log + y.log, float64(x.chance * y.chance)})
		}
	}
	return all
}
