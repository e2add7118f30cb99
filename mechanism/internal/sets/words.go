package sets

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// Words is the channel from the words of a table to some or all of its words: a
// [Channel] whose sets are the nearest words, or one word for each class of words.
type Words struct {
	Channel[embedding.ID]
	Outputs Outputs
	InForce []mechanism.Setting
	sets    wordSets
	lists   bool // whether sets of several words are lists
}

// wordSets holds the sets of all words.
type wordSets interface {
	Rule[embedding.ID]
	// prepare computes the sets of words in advance, if that is faster.
	prepare(ctx context.Context, words []embedding.ID)
}

var (
	_ mechanism.Certifier = (*Words)(nil)
	_ mechanism.Certified = (*Words)(nil)
	_ shortcut.Levelled   = (*Words)(nil)
	_ shortcut.Rows       = (*Words)(nil)
	_ shortcut.Preparer   = (*Words)(nil)
	_ shortcut.Stayer     = (*Words)(nil)
)

// NewWords returns the channel of a rule for epsilon. Errors name the member who.
func NewWords(who string, rule *Nearest, epsilon float64) (*Words, error) {
	return newWords(who, rule.Outputs, rule.K, epsilon, newNearestSets(rule))
}

func newWords(who string, outputs Outputs, k int, epsilon float64, sets wordSets) (*Words, error) {
	c, err := New(who, outputs.Len(), k, epsilon, Rule[embedding.ID](sets))
	if err != nil {
		return nil, err
	}
	return &Words{Channel: *c, Outputs: outputs, InForce: []mechanism.Setting{{Name: "epsilon", Value: epsilon}},
		sets: sets, lists: isList(k, outputs.Len())}, nil
}

// Claim returns the claim for one token.
func (c *Words) Claim() privacy.Claim {
	return privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: c.epsilon,
		Assumes: privacy.PublicData | privacy.LengthRevealed}
}

// Settings returns the parameters in force.
func (c *Words) Settings() []mechanism.Setting { return c.InForce }

// BestGuess returns the success probability of the best guess of a word from its output,
// with all words equally likely. Every output is in the set of at least one word, its own.
func (c *Words) BestGuess() float64 {
	return float64(c.Outputs.Len()) / float64(c.Outputs.Table.Len()) * float64(c.high) / float64(c.total)
}

// Weights appends the row of one input, 0 for words that are not outputs.
func (c *Words) Weights(dst []uint64, in embedding.ID) []uint64 {
	at, n := len(dst), c.Outputs.Table.Len()
	if c.Outputs.outputs == nil {
		for range n {
			dst = append(dst, c.low)
		}
	} else {
		dst = slices.Grow(dst, n)[:at+n]
		clear(dst[at:])
		for _, y := range c.Outputs.outputs {
			dst[at+int(y)] = c.low
		}
	}
	set := c.set(in)
	for _, y := range set.All() {
		dst[at+int(c.Outputs.word(y))] = c.high
	}
	return dst
}

// set returns the set of a word for figures. It shows a set that draws refuse as it is, so
// that an audit of the rows finds it.
func (c *Words) set(x embedding.ID) Set {
	set, _ := c.sets.Set(x)
	return set
}

// Members lists the words of the set of x.
func (c *Words) Members(x embedding.ID) []embedding.ID {
	all := c.set(x).All()
	words := make([]embedding.ID, len(all))
	for i, y := range all {
		words[i] = c.Outputs.word(y)
	}
	return words
}

// MarkMembers sets the bits of mark in the element of sets of each word of the set of x.
func (c *Words) MarkMembers(sets []uint64, x embedding.ID, mark uint64) {
	set := c.set(x)
	if set.some == nil || set.some.bits == nil || c.Outputs.outputs != nil {
		for _, y := range set.All() {
			sets[c.Outputs.word(y)] |= mark
		}
		return
	}
	for i, block := range set.some.bits {
		if block == 0 {
			continue
		}
		for some := sets[64*i:]; block != 0; block &= block - 1 {
			some[bits.TrailingZeros64(block)] |= mark
		}
	}
}

// Rows appends the rows of xs, one after the other.
func (c *Words) Rows(dst []uint64, xs []embedding.ID) []uint64 {
	c.Prepare(context.Background(), xs)
	for _, x := range xs {
		dst = c.Weights(dst, x)
	}
	return dst
}

// Replace draws one output for each word of src. It looks up members of lists after the
// draws of several words, so that the processor waits for several memory reads at once.
func (c *Words) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	from := len(dst)
	dst = slices.Grow(dst, len(src))
	var members [256]member
	for some := range slices.Chunk(src, len(members)) {
		late := members[:0]
		for _, x := range some {
			if !noise.Bernoulli(rng, c.lift, c.total) {
				dst = append(dst, c.Outputs.word(uint32(noise.Below(rng, c.items))))
				continue
			}
			set, err := c.sets.Set(x)
			if err != nil {
				return dst[:from], err
			}
			if !c.lists || set.some == nil {
				dst = append(dst, c.Outputs.word(set.draw(c.size, c.items, rng)))
				continue
			}
			late = append(late, member{len(dst), int(noise.Below(rng, c.size)), set.some})
			dst = append(dst, 0)
		}
		for _, m := range late {
			dst[m.at] = c.Outputs.word(m.set.listed(m.rank))
		}
	}
	return dst, nil
}

// member is a member of a list that is drawn and not yet looked up: where it goes, and its
// rank in the set.
type member struct {
	at, rank int
	set      *items
}

// Prepare computes the sets of words that are not cached, many at a time.
func (c *Words) Prepare(ctx context.Context, words []embedding.ID) { c.sets.prepare(ctx, words) }

// Stay returns P(x|x) for each x of xs. An output is in its own set, and words that are not
// outputs are never drawn.
func (c *Words) Stay(_ context.Context, xs []embedding.ID) ([]float64, error) {
	chances := make([]float64, len(xs))
	for i, x := range xs {
		if c.Outputs.outputs == nil || c.Outputs.place[x] >= 0 {
			chances[i] = c.Levels().Inside
		}
	}
	return chances, nil
}

// Loss returns the pure loss, which follows from the two weights alone. Every output is in
// its own word's set, so a set that lacks an output is not the set of every word.
func (c *Words) Loss() mechanism.Loss {
	attained, most := c.Pure()
	loss := mechanism.Loss{PureHigh: most}
	if int(c.size) < c.Outputs.Len() {
		loss.PureLow = attained
	}
	return loss
}

// Source returns Computed: the figures are a function of the weights that are drawn.
func (c *Words) Source() mechanism.Source { return mechanism.Computed }

// Outputs are the words of a table that a channel draws: all, or those given to Limit. They
// are numbered by their places among all outputs, in the table's order.
type Outputs struct {
	Table *embedding.Table
	// outputs are ascending words, and place their inverse with -1 for no output;
	// both nil: all words.
	outputs []uint32
	place   []int32
}

// Limit restricts the outputs to the given words, ascending.
func (o *Outputs) Limit(outputs []uint32) {
	o.outputs = outputs
	o.place = slices.Repeat([]int32{-1}, o.Table.Len())
	for i, y := range outputs {
		o.place[y] = int32(i)
	}
}

// Len returns the number of outputs.
func (o *Outputs) Len() int {
	if o.outputs == nil {
		return o.Table.Len()
	}
	return len(o.outputs)
}

// word returns the word of a place.
func (o *Outputs) word(place uint32) embedding.ID {
	if o.outputs == nil {
		return embedding.ID(place)
	}
	return embedding.ID(o.outputs[place])
}

// run returns the number of first words of the table that are all outputs.
func (o *Outputs) run() int {
	if o.outputs == nil {
		return o.Table.Len()
	}
	n := 0
	for n < len(o.outputs) && o.outputs[n] == uint32(n) {
		n++
	}
	return n
}
