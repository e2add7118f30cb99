package learn

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/progress"
)

// fitter holds what all fits share.
type fitter struct {
	data    *Data
	options Options
	grid    []float64 // of penalties, down to the chosen one
	design  *design
	prior   []float64
	groups  []group
	said    float64 // mean informative share of the groups
	done    *progress.Counter
	fits    int // most that there are
}

func newFitter(d *Data, o Options) *fitter {
	f := &fitter{data: d, options: o, prior: make([]float64, len(d.Classes))}
	f.design = newDesign(d.Features, d.Dim, len(d.Classes), d.Blocks, d.Terms)
	total := 0.0
	for _, e := range d.Examples {
		f.prior[e.Class] += e.Weight
		total += e.Weight
	}
	for c := range f.prior {
		f.prior[c] /= total
	}
	f.groups = groups(d)
	for _, g := range f.groups {
		f.said += g.informative / float64(len(f.groups))
	}
	return f
}

// groups collects examples by row, in the order of rows, and adds up equal labels.
func groups(d *Data) []group {
	examples := slices.Clone(d.Examples)
	slices.SortStableFunc(examples, func(a, b Example) int { return cmp.Or(a.Row-b.Row, a.Class-b.Class) })
	var all []group
	for i, e := range examples {
		if i == 0 || examples[i-1].Row != e.Row {
			g := group{members: []int32{int32(e.Row)}, informative: d.Channel.Informative()}
			if d.Origins != nil {
				g.members, g.informative = d.Origins.Of[e.Row], d.Origins.Informative[e.Row]
			}
			all = append(all, g)
		}
		g := &all[len(all)-1]
		if n := len(g.labels); n > 0 && g.labels[n-1].class == e.Class {
			g.labels[n-1].weight += e.Weight
		} else {
			g.labels = append(g.labels, labelled{e.Class, e.Weight})
		}
	}
	return all
}

// start returns the initial parameters, at which all classes are equally likely. The loss
// with a channel is not convex; the solution of a large penalty is near 0, and a good
// start for the next smaller one.
func (f *fitter) start() []float32 { return make([]float32, f.design.size()) }

// path fits groups down a grid and returns the last solution.
func (f *fitter) path(ctx context.Context, groups []group, grid []float64) (w []float32, err error) {
	o := newObjective(f.design, f.prior, groups)
	w = f.start()
	for _, ridge := range grid {
		o.ridge = ridge
		if w, err = minimise(ctx, o, f.design.curvature(ridge, f.said), w); err != nil {
			return nil, err
		}
		f.done.Add(1)
	}
	return w, nil
}

// finish reports that nothing is left to fit.
func (f *fitter) finish() { f.options.Progress.At(f.fits, f.fits) }

// model returns the weights of features as they were given.
func (f *fitter) model(w []float32) *Model {
	m := &Model{Classes: f.data.Classes, Dim: f.data.Dim, Prior: f.prior, Channel: f.data.Channel, Origins: f.data.Origins != nil, Weights: f.design.weightsOf(w)}
	for _, x := range w[f.design.fixed():] {
		m.Terms = append(m.Terms, x*float32(f.design.scale))
	}
	if m.Terms != nil {
		m.Vocabulary = f.data.Vocabulary
	}
	return m
}
