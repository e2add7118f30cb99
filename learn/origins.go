package learn

import (
	"context"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Origins lists possible origins of releases: for each released row, rows of features of
// public texts whose sets contain it.
type Origins struct {
	// Of holds the origins of each released row. It may be empty.
	Of [][]int32
	// Informative is the probability, per released row, that it depends on the private
	// text, in [0, 1]. It is larger for a public text in many sets.
	Informative []float64
	// Cells reports that the released rows are cells of a synthetic corpus.
	// Cross-validation then holds out all labels of a row or none, because they are counts
	// with common noise.
	Cells bool
}

func (o *Origins) check(rows int) error {
	if len(o.Informative) != len(o.Of) {
		return privacy.Bad("learn", "informative", len(o.Informative), "one per released row")
	}
	for i, of := range o.Of {
		for _, r := range of {
			if r < 0 || int(r) >= rows {
				return privacy.Bad("learn", "origin", r, "a row of the features")
			}
		}
		if l := o.Informative[i]; !(l >= 0 && l <= 1) || l > 0 && len(of) == 0 {
			return privacy.Bad("learn", "informative", l, "in [0, 1], and 0 without origins")
		}
	}
	return nil
}

// Searcher searches a codebook for the sets that a release draws from.
type Searcher interface {
	// Len is the number of texts, Dim that of a vector's components.
	Len() int
	Dim() int
	// Vector appends the vector of text i.
	Vector(dst []int8, i int) []int8
	// Nearest appends the k texts nearest to each of the vectors.
	Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error)
}

const (
	// A sample of fewOrigins to mostOrigins public texts represents the private ones,
	// large enough that a text is in about wantedEach of their sets. originsEach is the
	// number of origins stored per released text. Larger values gained nothing.
	fewOrigins  = 8192
	mostOrigins = 32768
	wantedEach  = 20
	originsEach = 200
	searched    = 256 // at once
)

// FindOrigins returns the public texts that may be the origin of each released text
// (distinct indices into the codebook). A sample of the codebook represents the private
// texts. The rows of Origins.Of correspond to released, and its numbers are positions in
// sample, which holds indices into the codebook.
func FindOrigins(ctx context.Context, codebook Searcher, c Channel, released []int, report progress.Func) (sample []int, o *Origins, err error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	if c.IsNone() || codebook.Len() != c.Texts {
		return nil, nil, privacy.Bad("learn", "texts", c.Texts, "the size of the codebook")
	}
	place := map[uint32]int{}
	for i, z := range released {
		place[uint32(z)] = i
	}
	sample = sampled(codebook.Len(), c.Neighbours)
	counts := make([]int, len(released))
	o = &Origins{Of: make([][]int32, len(released)), Informative: make([]float64, len(released))}
	var vectors []int8
	var sets []uint32
	// The order is random and fixed, so that the first origins of a text are a sample of
	// all.
	for from := 0; from < len(sample); from += searched {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		part := sample[from:min(from+searched, len(sample))]
		vectors = vectors[:0]
		for _, x := range part {
			vectors = codebook.Vector(vectors, x)
		}
		if sets, err = codebook.Nearest(sets[:0], vectors, c.Neighbours); err != nil {
			return nil, nil, err
		}
		for i := range part {
			for _, z := range sets[i*c.Neighbours : (i+1)*c.Neighbours] {
				at, ok := place[z]
				if !ok {
					continue
				}
				counts[at]++
				if len(o.Of[at]) < originsEach {
					o.Of[at] = append(o.Of[at], int32(from+i))
				}
			}
		}
		report.At(from+len(part), len(sample))
	}
	for i, n := range counts {
		if n > 0 {
			o.Informative[i] = share(c.Epsilon, float64(n), float64(len(sample)))
		}
	}
	return sample, o, nil
}

// sampled returns the texts of a codebook of n that represent the private ones, evenly
// spaced, in a fixed random order. Sets have k texts.
func sampled(n, k int) []int {
	wanted := int(min(int64(wantedEach)*int64(n)/int64(k), mostOrigins))
	sample := make([]int, min(n, max(fewOrigins, wanted)))
	for i := range sample {
		sample[i] = int(int64(i) * int64(n) / int64(len(sample)))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rng.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	return sample
}
