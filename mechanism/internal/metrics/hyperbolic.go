package metrics

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// hyperbolic returns the distance of the Poincare ball of curvature -1:
// arcosh(1 + 2 |x-y|^2/((1-|x|^2)(1-|y|^2))) = 2 arsinh(|x-y|/sqrt((1-|x|^2)(1-|y|^2))).
func hyperbolic(who string, table *embedding.Table) (Metric, error) {
	step := table.Step()
	factors := make([]float64, table.Len()) // 1/(1-|x|^2)
	most := 0.0
	var v []int64
	for x := range factors {
		v = table.Steps(v[:0], embedding.ID(x))
		steps := int64(0)
		for _, c := range v {
			steps += c * c
		}
		square := float64(float64(steps) * step * step) // exact: an integer below 2^53 times powers of two
		if square >= 1 {
			return Metric{}, privacy.Wrong(who, parameterName, "a word's vector is outside the unit ball of hyperbolic distances", "choose another metric")
		}
		factors[x] = 1 / (1 - square)
		most = max(most, 2*arc(math.Sqrt(float64(square*factors[x])), 1))
	}
	return Metric{Name: "hyperbolic", Table: table, Most: 2 * most * (1 + 1e-9), rounding: warpedRounding,
		Warp: func(q float64, x, y embedding.ID) float64 {
			a := 2 * arc(float64(step*math.Sqrt(float64(q*float64(factors[x]*factors[y])))), 1) / step
			return float64(a * a)
		}}, nil
}
