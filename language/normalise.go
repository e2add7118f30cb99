package language

import (
	"math"

	"github.com/sotto-dp/sotto/internal/elementary"
)

// leastLog is the natural logarithm of 1e-99, by which the field's tools write a
// probability of zero.
const leastLog = -99 * math.Ln10

// logOf returns the natural logarithm of a probability or a weight, at least leastLog.
func logOf(p float64) float64 {
	if p <= 0 {
		return leastLog
	}
	return max(leastLog, elementary.Log(p))
}

// leastRest is the smallest probability that is distinguished from rounding.
const leastRest = 1e-12

// normalise sets the weight of a context so that the probabilities after it sum to 1.
// Those after shorter contexts must do so already.
func (t *trie) normalise(context uint32) {
	from, to := t.run(context)
	n := &t.context[context]
	if from == to {
		n.backoff = 0
		return
	}
	seen, lower := 0.0, 0.0
	for e := from; e < to; e++ {
		below, _ := t.next(n.suffix, t.word[e-t.unigrams()])
		seen += elementary.Exp(t.log[e])
		lower += elementary.Exp(below)
	}
	switch {
	case 1-lower < leastRest: // every word is seen, and the weight is not used
		n.backoff = 0
	case 1-seen < leastRest:
		n.backoff = leastLog
	default:
		n.backoff = logOf((1 - seen) / (1 - lower))
	}
}
