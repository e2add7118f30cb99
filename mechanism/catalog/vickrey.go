package catalog

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/grid"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var vickreyEntry = mechanism.Entry{
	Name:       "vickrey",
	Summary:    "spherical noise, then the nearest or the second nearest word to the noisy vector",
	Paper:      "Xu, Aggarwal, Feyisetan, Teissier 2021, \"On a utilitarian approach to privacy preserving text generation\", arXiv:2104.11838",
	Notion:     privacy.Metric,
	Standing:   privacy.Proved,
	Reviewed:   "1d11ee30efa246ed",
	Compared:   true,
	Stops:      mechanism.Steps(1, 20, 1),
	Cost:       mechanism.Pass,
	Parameters: []mechanism.Parameter{vickreyT},
	New:        newVickrey,
}

var vickreyT = mechanism.Parameter{Name: "t", Kind: mechanism.Number, Default: "0.5", Accepts: mechanism.Between(0, 1), Help: "weight of the second nearest word; 0 always takes the nearest"}

// newVickrey takes the nearest word with probability (1-t) d2/(t d1 + (1-t) d2),
// d1 and d2 the distances of the noisy vector to the nearest and the second
// nearest word of the whole table, the input word among them.
func newVickrey(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("vickrey", spec)
	t := p.Number(vickreyT)
	settings, err := p.Close()
	if err != nil {
		return nil, err
	}
	m, err := additive.Spherical("vickrey", table, spec.Epsilon, settings)
	if err != nil {
		return nil, err
	}
	var buffers sync.Pool
	m.Choose = func(dst []embedding.ID, noisy []float32, src rand.Source) {
		b, ok := buffers.Get().(*twoBuffer)
		if !ok {
			b = new(twoBuffer)
		}
		defer buffers.Put(b)
		b.two = scratch.Resize(b.two, len(dst))
		grid.NearestTwo(table.Grid(), b.two, noisy, &b.search)
		for i, two := range b.two {
			first, second := float64((1-t)*math.Sqrt(two.SecondSquared)), float64(t*math.Sqrt(two.FirstSquared))
			dst[i] = embedding.ID(two.First)
			// At 0/0 the first. In a table of one word both are that word.
			if second > 0 && noise.OpenUnit(src)*(first+second) >= first {
				dst[i] = embedding.ID(two.Second)
			}
		}
	}
	return m, nil
}

type twoBuffer struct {
	two    []grid.Two
	search grid.Scratch
}
