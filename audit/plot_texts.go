package audit

import (
	"fmt"

	"github.com/sotto-dp/sotto/mechanism"
)

// textPlots are a row of a channel over a codebook, and bounds on what any reader can learn
// at its epsilon.
func textPlots(levels mechanism.Levels, epsilon float64) ([]plot, error) {
	m, k := float64(levels.Outputs), float64(levels.Size)
	row := plot{title: fmt.Sprintf("A release, whatever the input: %d of %d outputs are likelier", levels.Size, levels.Outputs),
		x: "outputs, the likeliest first", y: "times as likely as by chance", logX: true}
	row.curves = []curve{{"every row", [][2]float64{{1, levels.Inside * m}, {k, levels.Inside * m}, {min(k+1, m), levels.Outside * m}, {m, levels.Outside * m}}}}

	const steps = 120
	most := max(8, 2*epsilon)
	limit := plot{title: "The most that any reader can tell who knows the candidates", x: "epsilon of the whole input", y: "chance to name the input"}
	for _, n := range []int{2, 10, 200, 10000} {
		c := curve{name: fmt.Sprintf("%d candidates", n), xy: [][2]float64{{0, 1 / float64(n)}}}
		for i := 1; i <= steps; i++ {
			e := float64(i) * most / steps
			chance, err := LinkageLimit(e, n)
			if err != nil {
				return nil, err
			}
			c.xy = append(c.xy, [2]float64{e, chance})
		}
		limit.curves = append(limit.curves, c)
	}
	limit.curves = append(limit.curves, curve{fmt.Sprintf("epsilon %.4g", epsilon), [][2]float64{{epsilon, 0}, {epsilon, 1}}})
	return []plot{row, limit}, nil
}
