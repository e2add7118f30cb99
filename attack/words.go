package attack

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
)

// Text is a tokenised text.
type Text struct {
	Words []embedding.ID
	// Capitalised reports, for each word, whether the text writes it with a capital
	// although it does not begin a sentence. It is nil if this is unknown.
	Capitalised []bool
}

// DefaultBeam is the number of nodes that the decoder of an attack keeps at a position.
const DefaultBeam = 100

// CommonWords is the number of words that do not count as rare: the most probable ones of
// the model without context.
const CommonWords = 2000

// Words is the result of an attack on a channel for words. Shares are of all words,
// including the unknown entry; nil if the texts have no such words.
type Words struct {
	Texts, Tokens int
	// Alone is the share of words that the best guess from each single output names, with
	// the model's probabilities without context. InContext is that of the best guess from
	// the whole release. Blind is that of the best guess without a release.
	Alone, InContext, Blind *Share
	// Rare and Capitalised are InContext over rare and over capitalised words. RareAlone is
	// Alone over rare words, and RareBlind is Blind over rare words.
	Rare, RareAlone, RareBlind, Capitalised *Share
	// Linked is the share of texts that are identified among Among candidates. Pair is that
	// of one pair of adjacent words per text, among as many pairs of other texts.
	Linked, Pair *Share
	Among        int
	Also         []Linkage // Linked among the numbers of Options.Also
	// Released are the releases, and Restored has the likeliest word at each of their
	// positions.
	Released, Restored [][]embedding.ID
	// Exposed are the words outside the most common ones, sorted by the share that a reader
	// recovers.
	Exposed []Exposure
	// Exact reports whether the attack used the complete columns of the channel.
	Exact bool
}

// OfWords releases texts with a channel and attacks the releases.
func OfWords(ctx context.Context, m mechanism.Channel, texts []Text, o Options) (*Words, error) {
	if o.Beam == 0 {
		o.Beam = DefaultBeam
	}
	r, err := releaseAll(ctx, m, texts, o)
	if err != nil {
		return nil, err
	}
	if r.columns, err = restore.Columns(ctx, m, o.Model.Vocabulary().Len(), r.outputs, o.Progress.Stage("channel")); err != nil {
		return nil, err
	}
	w := &Words{Texts: len(texts), Exact: r.columns.Exact(), Among: r.among, Released: r.outputs}
	for _, t := range texts {
		w.Tokens += len(t.Words)
	}
	if w.Restored, err = decode(ctx, r.columns, r.outputs, o); err != nil {
		return nil, err
	}
	w.count(texts, restore.NewAlone(o.Model, r.columns), o.Model)
	rng := r.rng(o)
	w.Linked = linkTexts(r.columns, r.originals, r.outputs, r.among, rng)
	w.Pair = linkPairs(r.columns, r.originals, r.outputs, r.among, rng)
	w.Also, err = also(o, len(texts), func(among int) *Share {
		return linkTexts(r.columns, r.originals, r.outputs, among, rand.New(noise.Seeded(o.Seed, uint64(len(texts)))))
	})
	return w, err
}

// LinkedWords returns Linked of [OfWords] alone. It takes a fraction of the time, because
// it decodes no release.
func LinkedWords(ctx context.Context, m mechanism.Channel, texts []Text, o Options) (*Share, error) {
	r, err := releaseAll(ctx, m, texts, o)
	if err != nil {
		return nil, err
	}
	r.columns = restore.NewChannel(m, o.Model.Vocabulary().Len())
	if err := r.columns.ReadLikelihoods(ctx, r.originals, r.outputs, o.Progress.Stage("channel")); err != nil {
		return nil, err
	}
	return linkTexts(r.columns, r.originals, r.outputs, r.among, r.rng(o)), nil
}

// released are texts, their releases, and the columns of the channel for these.
type released struct {
	originals, outputs [][]embedding.ID
	columns            *restore.Channel
	among              int
}

func releaseAll(ctx context.Context, m mechanism.Channel, texts []Text, o Options) (*released, error) {
	r := &released{originals: make([][]embedding.ID, len(texts))}
	tokens := 0
	for i, t := range texts {
		r.originals[i] = t.Words
		tokens += len(t.Words)
	}
	if tokens == 0 {
		return nil, errors.New("attack: the texts have no words")
	}
	var err error
	if r.outputs, err = releaseWords(m, r.originals, o.Seed, 0); err != nil {
		return nil, err
	}
	r.among, err = candidates(o.Among, len(texts))
	return r, err
}

// rng returns the source of the draws of linkages.
func (r *released) rng(o Options) *rand.Rand {
	return rand.New(noise.Seeded(o.Seed, uint64(len(r.originals))))
}

// publicStreams is the first stream of the draws of a reader's own releases. Those of the
// sample have smaller numbers.
const publicStreams = 1 << 40

// ReleaseWords returns releases of a reader's own public texts, to learn from.
func ReleaseWords(m mechanism.Channel, texts [][]embedding.ID, seed uint64) ([][]embedding.ID, error) {
	return releaseWords(m, texts, seed, publicStreams)
}

func releaseWords(m mechanism.Channel, texts [][]embedding.ID, seed, stream uint64) ([][]embedding.ID, error) {
	outputs := make([][]embedding.ID, len(texts))
	for i, t := range texts {
		var err error
		if outputs[i], err = m.Replace(nil, t, noise.Seeded(seed, stream+uint64(i))); err != nil {
			return nil, err
		}
		if len(outputs[i]) != len(t) {
			return nil, errors.New("attack: a mechanism changed the number of words")
		}
	}
	return outputs, nil
}

// decode returns the likeliest word at each position of the releases.
func decode(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, o Options) ([][]embedding.ID, error) {
	most := 1
	if o.Adapted != nil {
		most = mostGuesses
	}
	guesses, err := read(ctx, c, outputs, most, o)
	if err != nil {
		return nil, err
	}
	if o.Adapted != nil {
		if len(o.Adapted.Texts) == 0 {
			return nil, errors.New("attack: an adapted reader needs public texts")
		}
		if expected(guesses) >= adaptedFrom {
			return o.Adapted.adapt(ctx, c, outputs, guesses, o)
		}
	}
	found := make([][]embedding.ID, len(outputs))
	for i, marginals := range guesses {
		found[i] = restore.Risk(marginals)
	}
	return found, nil
}

// read returns the likeliest words of each position of the releases under the model.
func read(ctx context.Context, c *restore.Channel, outputs [][]embedding.ID, most int, o Options) ([][][]restore.Guess, error) {
	found := make([][][]restore.Guess, len(outputs))
	done := o.Progress.Stage("decoding").Counter(len(outputs))
	const block = 8
	err := parallel.BlockedBy(ctx, len(outputs), block, func() func(context.Context, int, int) error {
		var d *restore.Decoder
		return func(ctx context.Context, from, to int) (err error) {
			if d == nil {
				if d, err = restore.NewDecoder(o.Model, c, restore.Options{Beam: o.Beam}); err != nil {
					return err
				}
			}
			for i := from; i < to; i++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if found[i], err = marginals(d, outputs[i], most); err != nil {
					return err
				}
			}
			done.Add(to - from)
			return nil
		}
	})
	return found, err
}

// mostGuesses bounds the words of a position that a reader adapts to.
const mostGuesses = 64

// marginals returns the likeliest words of each position of a release.
func marginals(d *restore.Decoder, release []embedding.ID, most int) ([][]restore.Guess, error) {
	found := make([][]restore.Guess, 0, len(release))
	for w := range restore.Windows(len(release)) {
		l, err := d.ReadWindow(release, w, nil)
		if err != nil {
			return nil, err
		}
		from, to := w.Used()
		found = append(found, l.Likeliest(most)[from:to]...)
	}
	return found, nil
}

// count compares guesses with the texts.
func (w *Words) count(texts []Text, alone *restore.Alone, m *language.Model) {
	found, outputs := w.Restored, w.Released
	common := commonWords(m)
	var all, context, blind, rare, rareAlone, rareBlind, capitalised = newTally(len(texts)), newTally(len(texts)), newTally(len(texts)),
		newTally(len(texts)), newTally(len(texts)), newTally(len(texts)), newTally(len(texts))
	likeliest := alone.Blind()
	exposed := exposures{}
	for i, t := range texts {
		for at, x := range t.Words {
			guess := alone.Guess(outputs[i][at])
			all.add(i, guess == x)
			context.add(i, found[i][at] == x)
			blind.add(i, likeliest == x)
			if !common[x] {
				exposed.add(x, found[i][at] == x)
				rare.add(i, found[i][at] == x)
				rareAlone.add(i, guess == x)
				rareBlind.add(i, likeliest == x)
			}
			if t.Capitalised != nil && t.Capitalised[at] {
				capitalised.add(i, found[i][at] == x)
			}
		}
	}
	w.Alone, w.InContext, w.Blind = all.share(), context.share(), blind.share()
	w.Rare, w.RareAlone, w.RareBlind, w.Capitalised = rare.share(), rareAlone.share(), rareBlind.share(), capitalised.share()
	w.Exposed = exposed.ranked()
}

// commonWords reports of each word whether it is among the likeliest without context.
func commonWords(m *language.Model) []bool {
	common := make([]bool, m.Vocabulary().Len())
	n := 0
	for w := range m.Continuations(m.Empty()) {
		if n++; n > CommonWords {
			break
		}
		common[w] = true
	}
	return common
}
