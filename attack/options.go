package attack

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/progress"
)

// Options configure an attack on texts.
type Options struct {
	Model *language.Model // of the vocabulary of the channel
	// Adapted is what a reader adapts Model with to each release; nil for one who does not.
	Adapted *Adapted
	Among   int // candidates of a linkage, the original one of them
	// Also are further numbers of candidates, for which the same releases are linked.
	Also []int
	Beam int // of the decoder; 0 means DefaultBeam
	// Seed is the seed of all draws. The texts are public, so a known seed does no harm.
	Seed     uint64
	Progress progress.Func
}

// Adapted is what a reader needs who adapts to each release: public texts, and their table.
// Such a reader decodes a release, finds the public texts most like it, and decodes it again
// with the model of these texts, and with the words that were decoded with confidence, beside
// Options.Model. Where the first decoding expects to recover less than a quarter of the words, it
// stands. docs/results/attack.md has what such a reader recovers.
type Adapted struct {
	Table *embedding.Table
	Texts [][]embedding.ID // public
}
