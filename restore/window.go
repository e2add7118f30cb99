package restore

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy"
)

// NewDecoder returns a decoder of outputs of a channel under a model of the same words.
func NewDecoder(m *language.Model, c *Channel, o Options) (*Decoder, error) {
	switch n := m.Vocabulary().Len(); {
	case o.Beam < 1:
		return nil, privacy.Bad("restore", "beam", o.Beam, "at least 1")
	case n != c.words:
		return nil, fmt.Errorf("restore: the model has %d words, the channel %d", n, c.words)
	}
	return &Decoder{model: m, channel: c, options: o, likelyWords: likelyWords(o.Beam), hits: newHits(m, o.Unbiased), order: newOrder(m), views: map[embedding.ID]*view{}, seen: make([]uint64, c.words), tails: newTails(m)}, nil
}

// ReadWindow returns the lattice of the words First to Last of a released text, as if they
// were the whole text.
func (d *Decoder) ReadWindow(text []embedding.ID, w Window, rng *rand.Rand) (*Lattice, error) {
	text = text[w.First:w.Last]
	l := &Lattice{levels: make([]level, len(text))}
	d.front, d.rest = append(d.front[:0], hypothesis{state: d.model.Start()}), -1
	before := []float64{1} // of the start
	d.spread = math.Inf(1)
	for t, y := range text {
		if int(y) >= d.channel.words || d.channel.columns[y] == nil {
			return nil, fmt.Errorf("restore: word %d is not an output that the channel was read for", w.First+t+1)
		}
		var scale float64
		if c := d.view(y); d.options.Unbiased {
			d.enumerate(c)
			scale = d.draw(&l.levels[t], c, rng)
		} else {
			d.search(c)
			scale = d.keep(&l.levels[t], c, before)
		}
		if math.IsInf(scale, -1) {
			return nil, fmt.Errorf("restore: word %d is not an output of the channel", w.First+t+1)
		}
		before = l.levels[t].forward
		l.log += scale
	}
	for _, h := range d.front {
		l.ends = append(l.ends, math.Exp(d.model.End(h.state)))
	}
	return l, nil
}
