package restore

import (
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// Options configure how much of the posterior a decoder keeps.
type Options struct {
	// Beam is the number of nodes per position: about 50 for sequences, 100 to 300 for
	// probabilities.
	Beam int
	// Unbiased chooses nodes at random, so that expected weights are exact. Otherwise the
	// nodes with the largest weights are kept.
	Unbiased bool
}

// Decoder reads texts into lattices. It is for one goroutine.
type Decoder struct {
	model   *language.Model
	channel *Channel
	options Options

	front  []hypothesis
	found  candidates
	hits   hits
	order  order
	views  map[embedding.ID]*view
	viewed int      // words of views
	seen   []uint64 // of each word: the last round in which it was a candidate
	round  uint64   // counts nodes
	nodes  nodes
	tails  tails
	first  []embedding.ID // what likely returned
	// likelyWords is that of the beam.
	likelyWords int
	marked      []hit // what seenListed marked, for unbiased lattices

	spread   float64          // how far from the top the worst of the best candidates was; infinite at first
	states   []language.State // of the front
	touched  float64
	readings readings
	scratch  []place
	longer   []language.State // the contexts of a node that were read

	rest int       // the rest of the front; -1 for none
	left []float64 // the chance of the words after each node before to which it has no edge
}

// hypothesis is a node of the last position, with the logarithm of its weight.
type hypothesis struct {
	state language.State
	mass  float64
}

// Read returns the lattice of a released text. rng draws the nodes of an unbiased
// lattice; otherwise it may be nil. Every word must be one that the columns of the
// channel were read for.
func (d *Decoder) Read(text []embedding.ID, rng *rand.Rand) (*Lattice, error) {
	return d.ReadWindow(text, Window{Last: len(text)}, rng)
}

// mostViewed bounds the words of the columns that a decoder caches under its model, of
// 16 bytes each, and of 60 in unbiased lattices.
const mostViewed = 1 << 21

// view returns the column of an output under the model, and begins a position of it.
func (d *Decoder) view(y embedding.ID) *view {
	v := d.views[y]
	if v == nil {
		if d.viewed > mostViewed {
			clear(d.views)
			d.viewed = 0
		}
		v = d.newView(d.channel.columns[y])
		d.views[y] = v
		d.viewed += len(v.alone.best)
		return v
	}
	d.hits.begin(v.column)
	return v
}
