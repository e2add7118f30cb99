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
	// over the texts and their possible candidates, exact over all draws.
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

// linkSets returns the mean over texts, and over the sets of candidates that hold a text, of the
// chance that the best guess names the text of a release. An output of some sets of candidates
// is as likely for each of them and likelier than for the others: they share the guess. For an
// output of no set all candidates do. The levels give each set the same size.
func linkSets(sets []uint32, levels mechanism.Levels, among int) *Share {
	k := levels.Size
	n := len(sets) / k
	holders := make([]int32, levels.Outputs) // the sets that contain an output
	most := 0
	for _, y := range sets {
		holders[y]++
		most = max(most, int(holders[y]))
	}
	named, free := guesses(n, among, most)
	outside := 0.0 // the outputs that a set of other candidates leaves free, expected
	for _, m := range holders {
		outside += free[m]
	}
	chances := make([]float64, n)
	for i := range chances {
		own := outside
		for _, y := range sets[i*k : (i+1)*k] {
			chances[i] += levels.Inside * named[holders[y]]
			own -= free[holders[y]]
		}
		chances[i] += levels.Outside * own / float64(among)
	}
	return computed(chances)
}

// guesses returns for an output that is in m of n sets, up to most, what follows from a random
// choice of candidates: if the text's own set is one of the m, the expected share of a guess that
// it gets, and if it is not, the chance that no candidate's set is. Of the holders among the
// candidates, h beside the own one, the distribution is hypergeometric, and the mean of 1/(1 + h)
// is n/(m among) times the chance that among sets of all n hold it at all.
func guesses(n, among, most int) (named, free []float64) {
	named, free = make([]float64, most+1), make([]float64, most+1)
	none := 1.0 // the chance that no set of among of all is one of the m
	free[0] = 1
	for m := 1; m <= most; m++ {
		none *= float64(max(0, n-among-m+1)) / float64(n-m+1)
		named[m] = float64(n) / float64(m*among) * (1 - none)
		if m < n {
			free[m] = free[m-1] * float64(max(0, n-among-m+1)) / float64(n-m)
		}
	}
	return named, free
}

// ReleaseTexts returns releases of a reader's own public texts, to learn from.
func ReleaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed uint64) ([]uint32, error) {
	return releaseTexts(ctx, r, vectors, seed, publicStreams)
}

func releaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed, stream uint64) ([]uint32, error) {
	return r.Draw(ctx, nil, vectors, func(row int) rand.Source { return noise.Seeded(seed, stream+uint64(row)) })
}
