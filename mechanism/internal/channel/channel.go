// Package channel draws words exactly from rows of integer weights, and certifies
// the losses of channels whose weights fall with a distance.
//
// Draws and certificates use the same integers. A channel made for another
// engine brings its own weights (see [Weigher]) and uses the [Sampler].
package channel

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/metrics"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
	"github.com/sotto-dp/sotto/privacy"
)

// Distance draws an output with an integer weight that is a function of its distance to
// the input in some metric, times a public base measure: the exponential mechanism over
// a table, with or without TEM's truncation, and the balanced mechanism.
type Distance struct {
	Sampler
	metric  metrics.Metric
	law     *weight.Function
	base    []float64 // a factor in [0, 1] per output; nil if all are 1
	promise privacy.Claim
	inForce []mechanism.Setting
	summed  rowTotals
}

var _ shortcut.Symmetric = (*Distance)(nil)

// New returns a channel with the base measure base; nil means that every factor
// is 1.
func New(m metrics.Metric, law *weight.Function, base []float64, claim privacy.Claim, settings []mechanism.Setting) *Distance {
	c := &Distance{metric: m, law: law, base: base, promise: claim, inForce: settings}
	c.Sampler.Start(c, m.Table.Len())
	return c
}

func (c *Distance) Claim() privacy.Claim { return c.promise }

func (c *Distance) Settings() []mechanism.Setting { return c.inForce }

// Weight returns one entry of the channel.
func (c *Distance) Weight(x, y embedding.ID) uint64 {
	q, w := c.metric.Square(x, y), uint64(0)
	if c.law.Tabulated() {
		w = c.law.Of32(uint32(q))
	} else {
		w = c.law.At(q)
	}
	return c.times(y, w)
}

// times returns the weight of output y, given w from the weight function.
func (c *Distance) times(y embedding.ID, w uint64) uint64 {
	if c.base == nil {
		return w
	}
	return c.law.Times(c.base[y], w)
}

// Weigh fills s.weights with the rows of xs, one after the other.
func (c *Distance) Weigh(s *Scratch, xs []embedding.ID) {
	s.WeighByDistance(c.metric, grid.All[embedding.ID]{Vectors: c.metric.Table.Grid()}, c.law, xs, 0, c.metric.Table.Len())
	if c.base == nil {
		return
	}
	for i := range xs {
		row := s.Weights[i*len(c.base) : (i+1)*len(c.base)]
		for y, w := range row {
			row[y] = c.law.Times(c.base[y], w)
		}
	}
}
