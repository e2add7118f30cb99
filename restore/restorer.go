package restore

import (
	"fmt"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy"
)

// Mode is the criterion for a restored text.
type Mode string

// The modes.
const (
	Consensus  Mode = "consensus" // a likely sequence of likely words
	MostLikely Mode = "map"       // the likeliest sequence
	Drawn      Mode = "sample"    // a draw from the posterior
	LeastRisk  Mode = "risk"      // the likeliest word at each position
)

// LeastEpsilon is the smallest epsilon per word at which text is worth restoring. At it,
// restoring recovers 5 of 100 rare words of news over 10,000 words of the table, and 7 over
// all words. A reader without the release recovers none. Below it, restored text is mostly
// invented by the model. It was measured for the default mechanism: see
// docs/results/attack.md.
const LeastEpsilon = 4.5

// Worthwhile returns an error for claims at which restored text is mostly invented, or is
// not known to be better.
func Worthwhile(c privacy.Claim) error {
	switch {
	case c.Notion != privacy.Pure:
		return fmt.Errorf("restoring was not measured for %s claims: the model may invent most of the text", c.Notion)
	case c.Epsilon < LeastEpsilon:
		return fmt.Errorf("at epsilon %g the model invents most of the restored text: below %g fewer than 8 of 100 rare words are right", c.Epsilon, LeastEpsilon)
	}
	return nil
}

// The nodes at a position that a restorer keeps: for sequences and for chances. With 100
// nodes, 0.90 of the words with a chance of 0.9 or more were right on training texts at
// epsilon 6, with 200 nodes 0.96.
const (
	sequenceBeam = 50
	chanceBeam   = 200
)

// Restorer restores texts. It is for one goroutine.
type Restorer struct {
	mode      Mode
	sequences *Decoder // nil where chances alone decide
	chances   *Decoder // nil where they are not asked for
}

// NewRestorer returns a restorer of outputs of a channel. With chances it also returns, for
// each word of a text, the probability that it is the original one.
func NewRestorer(m *language.Model, c *Channel, mode Mode, chances bool) (r *Restorer, err error) {
	r = &Restorer{mode: mode}
	switch mode {
	case Consensus, MostLikely, LeastRisk:
		if r.sequences, err = NewDecoder(m, c, Options{Beam: sequenceBeam}); err != nil {
			return nil, err
		}
	case Drawn:
		chances = true
	default:
		return nil, privacy.Bad("restore", "mode", fmt.Sprintf("%q", string(mode)), "consensus, map, sample or risk")
	}
	if chances {
		r.chances, err = NewDecoder(m, c, Options{Beam: chanceBeam, Unbiased: true})
	}
	return r, err
}

// Restore returns the words of a released text, and their probabilities if they were
// requested. rng draws the nodes from which the probabilities are computed, and a text of
// the mode Drawn. A text of more than 4,224 words is restored in [Windows]: a sequence is
// then the likeliest, or is drawn, within each window and not across their borders.
func (r *Restorer) Restore(released []embedding.ID, rng *rand.Rand) (words []embedding.ID, chances []float64, err error) {
	for w := range Windows(len(released)) {
		part, sure, err := r.window(released, w, rng)
		if err != nil {
			return nil, nil, err
		}
		from, to := w.Used()
		words = append(words, part[from:to]...)
		if sure != nil {
			chances = append(chances, sure[from:to]...)
		}
	}
	return words, chances, nil
}

func (r *Restorer) window(released []embedding.ID, w Window, rng *rand.Rand) (words []embedding.ID, chances []float64, err error) {
	var sure *Lattice
	if r.chances != nil {
		if sure, err = r.chances.ReadWindow(released, w, rng); err != nil {
			return nil, nil, err
		}
	}
	if r.mode == Drawn {
		words = sure.Sample(rng)
	} else {
		l, err := r.sequences.ReadWindow(released, w, nil)
		if err != nil {
			return nil, nil, err
		}
		switch r.mode {
		case MostLikely:
			words = l.MAP()
		case LeastRisk:
			words = Risk(l.Likeliest(1))
		default:
			words = l.Consensus(l.Marginals())
		}
	}
	if sure != nil {
		chances = Chances(sure.Marginals(), words)
	}
	return words, chances, nil
}
