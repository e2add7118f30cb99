package attack

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
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

// Words is the result of an attack on a channel for words. Shares are of the words that the
// table knows; nil if the texts have no such words. Whoever names the unknown entry has named
// no word, so the reader of these shares never does.
type Words struct {
	Texts, Tokens int
	Unknown       int // tokens that the table lacks
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
	read, err := decode(ctx, r.columns, r.outputs, o)
	if err != nil {
		return nil, err
	}
	w.Restored = read.likeliest
	w.count(texts, read, restore.NewAlone(o.Model, r.columns, read.unknown), o.Model)
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
