package privacy

import (
	"fmt"
	"math"
)

// Meaning returns a sentence about what the guarantee means for outputs.
func (c Claim) Meaning() string {
	unit := string(c.Unit)
	compared := fmt.Sprintf("for one %s than for any other", unit)
	if c.Neighbouring == AddRemove {
		compared = fmt.Sprintf("with one %s than without it, or without it than with it", unit)
	}
	switch c.Notion {
	case Pure:
		return fmt.Sprintf("No output is more than %s times likelier %s.", factor(c.Epsilon), compared)
	case Approximate:
		return fmt.Sprintf("Any property of the output is at most %s times likelier %s, plus a probability of %s.", factor(c.Epsilon), compared, Above(c.Delta, 3))
	case Metric:
		return fmt.Sprintf("No output is more than e^(%s d) times likelier for one %s than for another at distance d: near ones hide each other, distant ones do not.", Above(c.Epsilon, 6), unit)
	case MetricApproximate:
		return fmt.Sprintf("Any property of the output is at most e^(%s d) times likelier for one %s than for another at distance d, plus a probability of %s.", Above(c.Epsilon, 6), unit, Above(c.Delta, 3))
	}
	return fmt.Sprintf("Some outputs tell one %s from another with certainty.", unit)
}

// factor returns e^epsilon, as a number if that is readable.
func factor(epsilon float64) string {
	if epsilon > math.Log(1e6) {
		return "e^" + Above(epsilon, 6)
	}
	return Above(math.Exp(epsilon), 4)
}
