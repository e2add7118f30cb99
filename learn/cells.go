package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
)

// Cells is a partition of a codebook, such as corpus.Clusters.
type Cells interface {
	// Len is the number of cells, Of the cell of text i.
	Len() int
	Of(i int) int
}

// cellTexts bounds the texts that represent a cell. Larger values gained nothing.
const cellTexts = 200

// inCells returns the training data of releases that reveal only the cell of a private
// text: all texts of a cell were equally likely to be written. The classes of a cell are
// modelled as the mean over its texts.
func (r Releases) inCells(ctx context.Context, f *Features) (Data, error) {
	d := f.NewData(r.Classes)
	d.Origins = &Origins{Cells: true}
	texts := make([][]int32, r.Cells.Len())
	for i := range r.Codebook.Len() {
		c := r.Cells.Of(i)
		texts[c] = append(texts[c], int32(i))
	}
	weights := map[Example]float64{}
	for i, z := range r.Texts {
		weight := 1.0
		if r.Weights != nil {
			weight = r.Weights[i]
		}
		weights[Example{Row: r.Cells.Of(z), Class: r.Class[i]}] += weight
	}
	examples := make([]Example, 0, len(weights))
	for e, weight := range weights {
		e.Weight = weight
		examples = append(examples, e)
	}
	slices.SortFunc(examples, func(a, b Example) int { return cmp.Or(a.Row-b.Row, a.Class-b.Class) })
	for i, e := range examples {
		if err := ctx.Err(); err != nil {
			return Data{}, err
		}
		if i == 0 || examples[i-1].Row != e.Row {
			d.Origins.Of = append(d.Origins.Of, nil)
			d.Origins.Informative = append(d.Origins.Informative, 1)
			of := &d.Origins.Of[len(d.Origins.Of)-1]
			for _, z := range spread(texts[e.Row], cellTexts) {
				*of = append(*of, int32(d.Add(f.TextRow(r.Codebook, int(z)))))
			}
		}
		d.Examples = append(d.Examples, Example{len(d.Origins.Of) - 1, e.Class, e.Weight})
	}
	return d, nil
}

// spread returns at most n of the texts, evenly spaced.
func spread(texts []int32, n int) []int32 {
	if len(texts) <= n {
		return texts
	}
	some := make([]int32, n)
	for i := range some {
		some[i] = texts[i*len(texts)/n]
	}
	return some
}

// checkCells returns an error if a channel is given too, because the two contradict each
// other, or no epsilon with cells along words.
func (r Releases) checkCells() error {
	if !r.Channel.IsNone() {
		return privacy.Wrong("learn", "cells", "the releases have a channel already", "give one of the two")
	}
	if r.Along && !(r.Epsilon > 0) {
		return privacy.Bad("learn", "epsilon", r.Epsilon, "positive: that of the release in cells")
	}
	return nil
}

// gridOfCells returns the penalties that a model of cells chooses from by default. Held-out
// cells have counts of many texts, so they favour penalties at which a model is too sure of
// single texts: on development texts of AG News over sentences of films the choice was
// 0.01, with accuracy 0.70 at epsilon 0.25 where 0.1 had 0.75. Smaller ones than 0.1 were
// better by 0.005 at most, on IMDB.
func gridOfCells() []float64 { return []float64{1, 0.3, 0.1} }

// labelled returns the number of pairs of a row and a class that have an example.
func (d *Data) labelled() int {
	pairs := map[[2]int]bool{}
	for _, e := range d.Examples {
		pairs[[2]int{e.Row, e.Class}] = true
	}
	return len(pairs)
}

// inCells reports whether the rows are cells.
func (f *fitter) inCells() bool { return f.data.Origins != nil && f.data.Origins.Cells }

// entropy returns the mean negative log-likelihood of labels under their own shares.
func entropy(shares []float64) float64 {
	sum := 0.0
	for _, p := range shares {
		if p > 0 {
			sum -= float64(p * math.Log(p))
		}
	}
	return sum
}
