package attack

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
)

// Texts is the result of an attack on releases of whole texts.
type Texts struct {
	// Linked is the share of releases that are linked to their own text among candidates.
	Linked *Share
	Among  int
	Also   []Linkage // Linked among the numbers of Options.Also
	// Released are the releases: texts of the codebook.
	Released []uint32
}

// OfTexts releases whole texts, given by their vectors in the space of a codebook, and
// links each release to the candidates whose set contains it.
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
	k := r.Levels().Size
	sets, err := codebook.Nearest(nil, vectors, k)
	if err != nil {
		return nil, err
	}
	if len(sets) != n*k || len(outputs) != n {
		return nil, errors.New("attack: the codebook gave sets of another size")
	}
	link := func(among int, rng *rand.Rand) *Share {
		hits := 0
		var scores []float64
		for i, y := range outputs {
			from, to := group(i, among, n)
			scores = scores[:0]
			for j := from; j < to; j++ {
				inside := 0.0
				if _, ok := slices.BinarySearch(sets[j*k:(j+1)*k], y); ok {
					inside = 1
				}
				scores = append(scores, inside)
			}
			if from+best(scores, rng) == i {
				hits++
			}
		}
		return exact(hits, n)
	}
	t := &Texts{Linked: link(among, rand.New(noise.Seeded(o.Seed, uint64(n)))), Among: among, Released: outputs}
	t.Also, err = also(o, n, link)
	return t, err
}

// ReleaseTexts returns releases of a reader's own public texts, to learn from.
func ReleaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed uint64) ([]uint32, error) {
	return releaseTexts(ctx, r, vectors, seed, publicStreams)
}

func releaseTexts(ctx context.Context, r mechanism.Retriever, vectors []int8, seed, stream uint64) ([]uint32, error) {
	return r.Draw(ctx, nil, vectors, func(row int) rand.Source { return noise.Seeded(seed, stream+uint64(row)) })
}
