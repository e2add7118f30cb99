package autoencoder

import (
	"cmp"
	"fmt"
	"math"
)

// Options configures training. A zero number means its default, and a negative share means
// zero.
type Options struct {
	Words       int     `json:"words"`        // at most, the unknown word among them; 10,000
	Least       int     `json:"least"`        // times a word must occur to be one of them; 2
	Tokens      int     `json:"tokens"`       // of the longest sentence; longer ones are left out; 40
	Embed       int     `json:"embed"`        // dimensions of a word's vector, where no table is given; 100
	Hidden      int     `json:"hidden"`       // 256
	Latent      int     `json:"latent"`       // 256
	Batch       int     `json:"batch"`        // sentences per step; 32
	Epochs      int     `json:"epochs"`       // 30
	Patience    int     `json:"patience"`     // epochs without a better loss on held-out sentences before it ends; 3
	Rate        float64 `json:"rate"`         // of Adam; falls to a twentieth over the epochs; 0.002
	Norm        float64 `json:"norm"`         // gradients are cut to it; 5
	Dropout     float64 `json:"dropout"`      // 0.1
	WordDropout float64 `json:"word_dropout"` // 0.1
	// Swap is the share of words replaced by a random word of the vocabulary, in the
	// input and the target; 0.1. Without it, a model memorises phrases of the corpus and
	// writes them instead of its input.
	Swap float64 `json:"swap"`
	Seed uint64  `json:"seed"`
}

// withDefaults replaces zeros by defaults.
func (o Options) withDefaults() Options {
	o.Words, o.Least, o.Tokens = cmp.Or(o.Words, 10_000), cmp.Or(o.Least, 2), cmp.Or(o.Tokens, 40)
	o.Embed, o.Hidden, o.Latent = cmp.Or(o.Embed, 100), cmp.Or(o.Hidden, 256), cmp.Or(o.Latent, 256)
	o.Batch, o.Epochs, o.Patience = cmp.Or(o.Batch, 32), cmp.Or(o.Epochs, 30), cmp.Or(o.Patience, 3)
	o.Rate, o.Norm = cmp.Or(o.Rate, 2e-3), cmp.Or(o.Norm, 5)
	o.Dropout, o.WordDropout = cmp.Or(o.Dropout, 0.1), cmp.Or(o.WordDropout, 0.1)
	o.Swap = cmp.Or(o.Swap, 0.1)
	return o
}

func (o Options) check() error {
	for _, c := range []struct {
		name        string
		value, most int
	}{
		{"words", o.Words, mostWords}, {"least", o.Least, math.MaxInt32}, {"tokens", o.Tokens, mostWide}, {"embed", o.Embed, mostWide},
		{"hidden", o.Hidden, mostWide}, {"latent", o.Latent, mostWide}, {"batch", o.Batch, mostWide}, {"epochs", o.Epochs, 1 << 20}, {"patience", o.Patience, 1 << 20},
	} {
		if c.value < 1 || c.value > c.most {
			return fmt.Errorf("autoencoder: %s must be 1 to %d, got %d", c.name, c.most, c.value)
		}
	}
	for _, c := range []struct {
		name        string
		value, most float64
	}{{"rate", o.Rate, 1}, {"norm", o.Norm, math.MaxFloat32}, {"dropout", max(0, o.Dropout), 0.9}, {"word dropout", max(0, o.WordDropout), 0.9}, {"swap", max(0, o.Swap), 0.9}} {
		if !(c.value >= 0 && c.value <= c.most) {
			return fmt.Errorf("autoencoder: %s must be at most %g, got %g", c.name, c.most, c.value)
		}
	}
	return nil
}

func (o Options) regular() regular { return regular{max(0, o.Dropout), max(0, o.WordDropout)} }
