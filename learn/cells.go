package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
)

// Cells divides a codebook. corpus.Clusters are cells.
type Cells interface {
	// Len is the number of cells, Of the cell of text i.
	Len() int
	Of(i int) int
}

// cellTexts bounds the texts that represent a cell. Larger values gained nothing.
const cellTexts = 200

// inCells returns the training data of releases that tell only the cell of a private
// text: each text of a cell was as likely to be written as any other. The classes of a
// cell are modelled as the mean over its texts.
func (r Releases) inCells(ctx context.Context, f *Features) (Data, error) {
	d := Data{Dim: f.Dim(), Classes: r.Classes, Origins: &Origins{Cells: true}}
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
				*of = append(*of, int32(len(d.Features)/d.Dim))
				d.Features = f.AppendText(d.Features, r.Codebook, int(z))
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

// checkCells returns an error if a channel is given too, which says something else.
func (r Releases) checkCells() error {
	if !r.Channel.IsNone() {
		return privacy.Bad("learn", "cells", r.Cells.Len(), "none where releases have a channel")
	}
	return nil
}

// decisive is the share of the labels' information that cells have where each of their
// texts is taken to have the classes of its cell. On development texts, cells of AG News
// had 0.44 of it and more, and a model of single texts was better by up to 0.008 of
// accuracy. Cells of Yelp, TREC and SST-2 had 0.30, 0.24 and 0.04 at epsilon 0.5, and a
// model of cells was better by 0.008, 0.014 and 0.02.
const decisive = 0.4

// FitReleases fits a classifier of releases. Where they have Cells, it fits a model of cells
// and measures the share of the labels' information that the model finds in cells held
// out. If that is decisive, the classifier is a model of single texts, each of which has
// the classes of its cell: this has less variance, and is wrong about the texts of a cell
// only if they differ. So it is if the model finds nothing in cells held out, which happens
// where each cell has a class of its own. All of this is post-processing.
func FitReleases(ctx context.Context, r Releases, f *Features, o Options) (*Model, []Score, error) {
	d, err := r.Data(ctx, f, nil)
	if err != nil {
		return nil, nil, err
	}
	if r.Cells != nil && d.labelled() < cmp.Or(o.Folds, defaultFolds) {
		r.Cells = nil // too few cells to hold any out
		return FitReleases(ctx, r, f, o)
	}
	m, scores, err := fitScored(ctx, d, o, r.Cells != nil)
	if err != nil || r.Cells == nil {
		return m, scores, err
	}
	least := slices.MinFunc(scores, func(a, b Score) int { return cmp.Compare(a.Loss, b.Loss) })
	if known := entropy(m.Prior); known > 0 {
		if share := 1 - least.Loss/known; share > 0 && share < decisive {
			return m, scores, nil
		}
	}
	r.Cells = nil
	return FitReleases(ctx, r, f, o)
}

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
