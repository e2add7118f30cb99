package mechanism

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// worstPair is the pair with the largest figure met so far; ties go to the
// lowest numbers, so that the witness does not depend on the order of work.
type worstPair struct {
	value    float64
	input    embedding.ID
	other    embedding.ID
	occupied bool
}

func (w *worstPair) take(o worstPair) {
	if !o.occupied {
		return
	}
	if !w.occupied || o.value > w.value ||
		o.value == w.value && (o.input < w.input || o.input == w.input && o.other < w.other) {
		*w = o
	}
}

type worstPairs struct{ metric, pure worstPair }

// loss turns the worst pairs into figures: High carries the slack and is rounded
// up; Low is what the integer weights attain at y = x, rounded down.
func (c *distanceChannel) loss(metric, pure worstPair, logs []float64) Loss {
	const out = 1e-12 // rounding of a few float64 operations
	attained := func(p worstPair) (float64, embedding.ID) {
		output, top, bottom := c.worstOutput(p)
		return privacy.Log(float64(top)/float64(bottom)) + logs[p.other] - logs[p.input], output
	}
	var l Loss
	if metric.occupied {
		loss, y := attained(metric)
		l.MetricHigh = metric.value * (1 + out)
		l.MetricLow = max(0, (loss-out)/c.metric.distance(metric.input, metric.other)*(1-out))
		l.MetricWitness = Witness{metric.input, metric.other, y}
	}
	if pure.occupied {
		loss, y := attained(pure)
		l.PureHigh = pure.value * (1 + out)
		l.PureLow = max(0, (loss-out)*(1-out))
		l.PureWitness = Witness{pure.input, pure.other, y}
	}
	return l
}

// worstOutput is the output at which a pair's two weights differ most: the
// input itself, or, where the base measure leaves that out, one searched for.
func (c *distanceChannel) worstOutput(p worstPair) (output embedding.ID, top, bottom uint64) {
	output = p.input
	if c.base != nil && c.base[output] == 0 {
		best := -1.0
		for y := range c.base {
			if y := embedding.ID(y); c.base[y] > 0 {
				if r := float64(c.weight(p.input, y)) / float64(c.weight(p.other, y)); r > best {
					best, output = r, y
				}
			}
		}
	}
	return output, c.weight(p.input, output), c.weight(p.other, output)
}

// slack is what the integer weights, and distances that obey the triangle
// inequality up to their rounding only, add to a log ratio. Half of what the law
// allows for its floors is in reserve, more than the Euclidean distance's one
// rounding takes; the warped metrics' is added.
func (c *distanceChannel) slack() float64 {
	slack := c.law.slack()
	if c.base != nil {
		slack = c.law.productSlack()
	}
	if c.metric.warp != nil {
		slack += float64(c.law.T * c.metric.defect(c.law.Gamma))
	}
	return slack
}
