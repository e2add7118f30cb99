package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/progress"
	"gonum.org/v1/gonum/blas/blas32"
)

// fitter holds what all fits share.
type fitter struct {
	data     *Data
	options  Options
	features blas32.General
	scale    []float64 // of each feature
	prior    []float64
	groups   []group
	done     *progress.Counter
}

func newFitter(d *Data, o Options) *fitter {
	f := &fitter{data: d, options: o, prior: make([]float64, len(d.Classes))}
	f.features, f.scale = standardise(d.Features, d.Dim, d.Blocks)
	total := 0.0
	for _, e := range d.Examples {
		f.prior[e.Class] += e.Weight
		total += e.Weight
	}
	for c := range f.prior {
		f.prior[c] /= total
	}
	f.groups = groups(d)
	return f
}

// standardise scales each feature to mean square 1 over the rows. With a channel the rows
// are public texts, so the scale comes from public data.
func standardise(values []float32, dim int, blocks []int) (blas32.General, []float64) {
	rows := len(values) / dim
	scale := make([]float64, dim)
	fourth := make([]float64, dim)
	for i, x := range values {
		square := float64(x) * float64(x)
		scale[i%dim] += square
		fourth[i%dim] += float64(square * square)
	}
	for k := range scale {
		scale[k] /= float64(rows)
	}
	ends := append(slices.Clone(blocks), dim)
	for i, from := range blocks {
		draw(scale[from:ends[i+1]], fourth[from:ends[i+1]], float64(rows))
	}
	for k, square := range scale {
		if scale[k] = math.Sqrt(square); scale[k] == 0 {
			scale[k] = 1
		}
	}
	m := matrix(rows, dim)
	for i, x := range values {
		m.Data[i] = float32(float64(x) / scale[i%dim])
	}
	return m, scale
}

// leastPull is the share of the common mean square below which a feature keeps its own.
// Corpora of thousands of texts have less.
const leastPull = 0.01

// draw draws the mean squares of a block's features towards their mean. One over few rows
// is uncertain, and a feature that is near 0 in all of them would be blown up in other
// texts. The share minimises the estimated squared error (Opgen-Rhein and Strimmer 2007,
// who draw variances towards their median). fourth has the sums of fourth powers over n
// rows.
func draw(squares, fourth []float64, n float64) {
	common := 0.0
	for _, square := range squares {
		common += square / float64(len(squares))
	}
	errors, spread := 0.0, 0.0
	for k, square := range squares {
		errors += (fourth[k]/n - float64(square*square)) / max(n-1, 1)
		spread += float64((square - common) * (square - common))
	}
	pull := 1.0
	if n > 1 && errors < spread {
		pull = errors / spread
	}
	if pull < leastPull {
		return
	}
	for k := range squares {
		squares[k] += float64(pull * (common - squares[k]))
	}
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
func (f *fitter) start() []float64 { return make([]float64, len(f.prior)*(f.data.Dim+1)) }

// path fits all groups down a grid and returns the last solution.
func (f *fitter) path(ctx context.Context, grid []float64) (w []float64, err error) {
	o := newObjective(f.features, f.prior, f.groups)
	w = f.start()
	for _, ridge := range grid {
		o.ridge = ridge
		if w, err = minimise(ctx, o, w); err != nil {
			return nil, err
		}
		f.done.Add(1)
	}
	return w, nil
}
