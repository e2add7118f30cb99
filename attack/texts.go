package attack

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

// Texts is the result of an attack on releases of whole texts.
type Texts struct {
	// Linked is the chance that a release is linked to its own text among candidates: a mean
	// over the texts, exact over all draws.
	Linked *Share
	Among  int
	Also   []Linkage // Linked among the numbers of Options.Also
	// Released are the releases: texts of the codebook.
	Released []uint32
}

// OfTexts attacks releases of whole texts, given by their vectors in the space of a
// codebook. A release is linked to the candidates whose set contains it. The sets are known,
// so the chance to name the right one is computed and not drawn.
func OfTexts(ctx context.Context, r mechanism.Retriever, codebook mechanism.Codebook, vectors []int8, o Options) (*Texts, error) {
	n := len(vectors) / codebook.Dim()
	if n == 0 {
		return nil, errors.New("attack: there are no texts")
	}
	among, err := candidates(o.Among, n)
	if err != nil {
		return nil, err
	}
	if own, ok := r.(interface{ Codebook() mechanism.Codebook }); ok {
		codebook = own.Codebook() // whose sets are those that are drawn from
	}
	outputs, err := releaseTexts(ctx, r, vectors, o.Seed, 0)
	if err != nil {
		return nil, err
	}
	levels := r.Levels()
	k := levels.Size
	sets, err := codebook.Nearest(nil, vectors, k)
	if err != nil {
		return nil, err
	}
	if len(sets) != n*k || len(outputs) != n {
		return nil, errors.New("attack: the codebook gave sets of another size")
	}
	t := &Texts{Linked: linkSets(sets, levels, among), Among: among, Released: outputs}
	t.Also, err = also(o, n, func(among int) *Share { return linkSets(sets, levels, among) })
	return t, err
}

// linkSets returns the mean over texts of the chance that the best guess names the text of
// a release among its group. An output of some sets of the group is as likely for each of
// them and likelier than for the others: they share the guess. For an output of no set all
// candidates do. The levels give each set the same size.
func linkSets(sets []uint32, levels mechanism.Levels, among int) *Share {
	k := levels.Size
	n := len(sets) / k
	chances := make([]float64, n)
	holders := map[uint32]int{} // of a group: the number of its sets that contain an output
	counted := -1
	for i := range chances {
		if from, to := group(i, among, n); from != counted {
			clear(holders)
			for _, y := range sets[from*k : to*k] {
				holders[y]++
			}
			counted = from
		}
		for _, y := range sets[i*k : (i+1)*k] {
			chances[i] += levels.Inside / float64(holders[y])
		}
		chances[i] += float64(levels.Outside*float64(levels.Outputs-len(holders))) / float64(among)
	}
	return computed(chances)
}

// ReleaseTexts returns releases of a reader's own public texts, to learn from.
func ReleaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed uint64) ([]uint32, error) {
	return releaseTexts(ctx, r, vectors, seed, publicStreams)
}

func releaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed, stream uint64) ([]uint32, error) {
	return r.Draw(ctx, nil, vectors, func(row int) rand.Source { return noise.Seeded(seed, stream+uint64(row)) })
}
