package learn

import (
	"math"
	"runtime"
	"slices"

	"github.com/sotto-dp/sotto/internal/simd/gemm"
	"gonum.org/v1/gonum/mat"
)

// design holds the rows of features of all fits of one set of data: dense ones of mean
// square 1, and sparse ones of a vocabulary, each row of length scale. Dense ones are turned
// to their principal axes. That changes no solution, because the penalty is the same for all
// directions and none is of the bias, and a solver needs few steps.
type design struct {
	rows, dim, classes int
	units              []float64            // of each dense feature
	means              []float64            // of the dense features in these units
	axes               []float64            // dim x dim, a column for each principal axis
	spread             []float64            // mean squares along the axes
	by, across         gemm.Packed[float32] // the dense features, by feature and by row
	terms              *Sparse              // nil for none
	scale              float64              // of terms
	squares            []float64            // mean squares of the terms
}

// axesRows bounds the rows that the axes are computed from.
const axesRows = 4096

func newDesign(features []float32, dim, classes int, blocks []int, terms *Sparse) *design {
	d := &design{rows: len(features) / dim, dim: dim, classes: classes, terms: terms}
	var scaled []float32
	scaled, d.units = standardise(features, dim, blocks)
	d.centre(scaled)
	d.turn(scaled)
	turned := make([]float32, len(scaled))
	axes := make([]float32, dim*dim)
	for i, x := range d.axes {
		axes[i] = float32(x)
	}
	m := gemm.Of(turned, d.rows, dim)
	gemm.Multiply(m, gemm.Of(scaled, d.rows, dim), gemm.Of(axes, dim, dim), false, runtime.GOMAXPROCS(0))
	d.by.Pack(m.T())
	d.across.Pack(m)
	if terms != nil {
		d.squares = make([]float64, terms.Cols)
		for i, at := range terms.At {
			d.squares[at] += float64(terms.Value[i]) * float64(terms.Value[i]) / float64(d.rows)
		}
	}
	return d
}

// centre subtracts the mean row.
func (d *design) centre(rows []float32) {
	d.means = make([]float64, d.dim)
	for r := range d.rows {
		for k, x := range rows[r*d.dim : (r+1)*d.dim] {
			d.means[k] += float64(x)
		}
	}
	for k := range d.means {
		d.means[k] /= float64(d.rows)
	}
	for r := range d.rows {
		row := rows[r*d.dim : (r+1)*d.dim]
		for k := range row {
			row[k] -= float32(d.means[k])
		}
	}
}

// turn finds the principal axes.
func (d *design) turn(rows []float32) {
	n := min(d.rows, axesRows)
	some := rows
	if n < d.rows {
		some = make([]float32, 0, n*d.dim)
		for i := range n {
			at := i * d.rows / n
			some = append(some, rows[at*d.dim:(at+1)*d.dim]...)
		}
	}
	products := make([]float32, d.dim*d.dim)
	m := gemm.Of(some, n, d.dim)
	gemm.Multiply(gemm.Of(products, d.dim, d.dim), m.T(), m, false, runtime.GOMAXPROCS(0))
	means := mat.NewSymDense(d.dim, nil)
	for i := range d.dim {
		for j := i; j < d.dim; j++ {
			means.SetSym(i, j, float64(products[i*d.dim+j])/float64(n))
		}
	}
	var eigen mat.EigenSym
	var vectors mat.Dense
	if !eigen.Factorize(means, true) {
		panic("learn: finite products have no axes")
	}
	d.spread = eigen.Values(nil)
	eigen.VectorsTo(&vectors)
	d.axes = vectors.RawMatrix().Data
}

// size is the number of parameters: per class, a weight of each dense feature and a bias,
// followed by a weight of each term and class.
func (d *design) size() int { return d.fixed() + d.classes*d.cols() }

// fixed is the number of parameters that are not weights of terms.
func (d *design) fixed() int { return d.classes * (d.dim + 1) }

// cols is the number of terms that have weights.
func (d *design) cols() int {
	if d.scale == 0 {
		return 0
	}
	return d.terms.Cols
}

// curvature returns the inverse of the approximate second derivative of an objective with
// respect to each parameter: that at equal chances of all classes (Böhning 1992).
func (d *design) curvature(ridge, informative float64) []float32 {
	share := informative * informative / float64(d.classes)
	c := make([]float32, 0, d.size())
	for range d.classes {
		for _, x := range d.spread {
			c = append(c, float32(1/(share*max(x, 0)+ridge)))
		}
		c = append(c, float32(1/max(share, ridge)))
	}
	for j := range d.cols() {
		x := float32(1 / (share*d.scale*d.scale*d.squares[j] + ridge))
		for range d.classes {
			c = append(c, x)
		}
	}
	return c
}

// weights returns the weights of features as they were given, and the biases.
func (d *design) weightsOf(w []float32) []float32 {
	all := make([]float32, 0, d.fixed())
	for c := range d.classes {
		own := w[c*(d.dim+1) : (c+1)*(d.dim+1)]
		bias := float64(own[d.dim])
		for k := range d.dim {
			sum := 0.0
			for j, x := range d.axes[k*d.dim : (k+1)*d.dim] {
				sum += x * float64(own[j])
			}
			bias -= sum * d.means[k]
			all = append(all, float32(sum/d.units[k]))
		}
		all = append(all, float32(bias))
	}
	return all
}

// standardise scales each feature to mean square 1 over the rows. With a channel the rows
// are public texts, so the scale comes from public data.
func standardise(values []float32, dim int, blocks []int) (scaled []float32, scale []float64) {
	rows := len(values) / dim
	scale = make([]float64, dim)
	fourth := make([]float64, dim)
	for r := range rows {
		for k, x := range values[r*dim : (r+1)*dim] {
			square := float64(x) * float64(x)
			scale[k] += square
			fourth[k] += float64(square * square)
		}
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
	scaled = make([]float32, len(values))
	for r := range rows {
		for k, x := range values[r*dim : (r+1)*dim] {
			scaled[r*dim+k] = float32(float64(x) / scale[k])
		}
	}
	return scaled, scale
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
