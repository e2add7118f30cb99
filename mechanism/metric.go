package mechanism

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"gonum.org/v1/gonum/mat"
)

// metric is a distance between the words of a table, read off the exact squared
// Euclidean distances of a table made for it.
type metric struct {
	name  string
	table *embedding.Table // the words in the order of the original
	// warp turns a squared Euclidean distance of two words, in steps squared,
	// into the square of their distance, in the same unit; nil: the identity.
	warp func(q float64, x, y embedding.ID) float64
	most float64 // bounds the distance of any two words
}

func euclidean(table *embedding.Table) metric {
	return metric{name: "euclidean", table: table, most: table.Diameter()}
}

// squares writes, for each x of xs in turn, the squared distances from x to the
// words from (included) to to (excluded), in steps squared. The Euclidean ones come
// from the metric's table or from columns of it.
func (m metric) squares(source squarer, dst []float64, xs []embedding.ID, from, to int) {
	source.SquaredDistances(dst, xs, from, to)
	if m.warp == nil {
		return
	}
	width := to - from
	for i, x := range xs {
		row := dst[i*width : (i+1)*width]
		for j, q := range row {
			row[j] = m.warp(q, x, embedding.ID(from+j))
		}
	}
}

// square is one entry of squares, and the same number.
func (m metric) square(x, y embedding.ID) float64 {
	q := m.table.SquaredDistance(x, y)
	if m.warp != nil {
		q = m.warp(q, x, y)
	}
	return q
}

func (m metric) distance(x, y embedding.ID) float64 {
	return m.table.Step() * math.Sqrt(m.square(x, y))
}

// every is the metric over each k-th word.
func (m metric) every(k int) (metric, error) {
	table, err := m.table.Every(k)
	thin := metric{name: m.name, table: table, most: m.most}
	if m.warp != nil {
		thin.warp = func(q float64, x, y embedding.ID) float64 {
			return m.warp(q, x*embedding.ID(k), y*embedding.ID(k))
		}
	}
	return thin, err
}

var metricParameter = Parameter{"metric", "euclidean", "euclidean, angular, mahalanobis, or hyperbolic (vectors inside the unit ball)"}

// metric reads the parameter metric, with lambda where it has one, and checks
// that it is one.
func (p *parameters) metric(table *embedding.Table) metric {
	name, given := p.take("metric")
	if !given || name == "euclidean" {
		return euclidean(table)
	}
	p.note("metric", name)
	var m metric
	var err error
	switch name {
	case "angular":
		m, err = angular(p.who, table)
	case "mahalanobis":
		lambda := p.number("lambda", 0.5, func(l float64) bool { return l >= 0 && l <= 1 }, "in [0, 1]")
		if p.err == nil {
			m, err = mahalanobisMetric(p.who, table, lambda)
		}
	case "hyperbolic":
		m, err = hyperbolic(p.who, table)
	default:
		err = privacy.Bad(p.who, "metric", strconv.Quote(name), "euclidean, angular, mahalanobis or hyperbolic")
	}
	if err == nil && p.err == nil {
		err = m.check(p.who)
	}
	if err != nil {
		p.fail(err)
	}
	return m
}

// angular is the angle between two vectors, in radians: twice the arcsine of
// half the chord between their directions. The directions are rounded to the
// grid of a table of their own.
func angular(who string, table *embedding.Table) (metric, error) {
	var v []float32
	for x := range table.Len() {
		if v = table.Vector(v[:0], embedding.ID(x)); norm(v) == 0 {
			return metric{}, privacy.Bad(who, "metric", "angular", "another one: a word has a zero vector, which makes no angle")
		}
	}
	directions, err := mapped(table, table.Dim(), func(dst []float64, v []float32) {
		n := norm(v)
		for k, x := range v {
			dst[k] = float64(x) / n
		}
	})
	if err != nil {
		return metric{}, err
	}
	step := directions.Step()
	return metric{name: "angular", table: directions, most: math.Pi * (1 + 1e-6), warp: func(q float64, _, _ embedding.ID) float64 {
		a := 2 * arc(min(1, float64(step*math.Sqrt(q))/2), -1) / step
		return a * a
	}}, nil
}

// hyperbolic is the distance of the Poincare ball of curvature -1:
// arcosh(1 + 2 |x-y|^2/((1-|x|^2)(1-|y|^2))) = 2 arsinh(|x-y|/sqrt((1-|x|^2)(1-|y|^2))).
func hyperbolic(who string, table *embedding.Table) (metric, error) {
	step := table.Step()
	factors := make([]float64, table.Len()) // 1/(1-|x|^2)
	most := 0.0
	var v []float32
	for x := range factors {
		v = table.Vector(v[:0], embedding.ID(x))
		n := norm(v)
		if n *= n; n >= 1 {
			return metric{}, privacy.Bad(who, "metric", "hyperbolic", "another one: a word's vector lies outside the unit ball")
		}
		factors[x] = 1 / (1 - n)
		most = max(most, 2*arc(math.Sqrt(n*factors[x]), 1))
	}
	return metric{name: "hyperbolic", table: table, most: 2 * most * (1 + 1e-9), warp: func(q float64, x, y embedding.ID) float64 {
		a := 2 * arc(float64(step*math.Sqrt(q*float64(factors[x]*factors[y]))), 1) / step
		return a * a
	}}, nil
}

// mahalanobisMetric is sqrt((x-y)' S^-1 (x-y)) for the S of mahalanobis: the
// Euclidean distance of L^-1 x, L L' = S.
func mahalanobisMetric(who string, table *embedding.Table, lambda float64) (metric, error) {
	chol, err := shape(who, table, lambda)
	if err != nil {
		return metric{}, err
	}
	var l mat.TriDense
	chol.LTo(&l)
	dim := table.Dim()
	white, err := mapped(table, dim, func(dst []float64, v []float32) {
		for i := range dim { // forward substitution
			s := float64(v[i])
			for k := range i {
				s -= l.At(i, k) * dst[k]
			}
			dst[i] = s / l.At(i, i)
		}
	})
	if err != nil {
		return metric{}, err
	}
	m := euclidean(white)
	m.name = mahalanobisName(lambda)
	return m, nil
}

// mapped is the table's words with the images of their vectors in dim
// dimensions. image is called by many goroutines.
func mapped(t *embedding.Table, dim int, image func(dst []float64, v []float32)) (*embedding.Table, error) {
	s := embedding.Source{Name: t.Name(), Dim: dim, Vectors: make([]float32, t.Len()*dim), Unknown: t.Word(t.Unknown())}
	for x := range t.Len() {
		s.Words = append(s.Words, t.Word(embedding.ID(x)))
	}
	err := inBlocks(context.Background(), t.Len(), func(xs []embedding.ID, _ *rowScratch) {
		w := make([]float64, dim)
		var v []float32
		for _, x := range xs {
			v = t.Vector(v[:0], x)
			image(w, v)
			for k, c := range w {
				s.Vectors[int(x)*dim+k] = float32(c)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return embedding.New(s)
}

// check looks for a breach of the axioms among random triples of words: what a
// theorem needs and a certificate does not.
func (m metric) check(who string) error {
	rng := rand.New(rand.NewPCG(1, 1)) // public words, in public order
	n := m.table.Len()
	pick := func() embedding.ID { return embedding.ID(rng.IntN(n)) }
	for range 4000 {
		x, y, z := pick(), pick(), pick()
		xy, yz, xz := m.distance(x, y), m.distance(y, z), m.distance(x, z)
		const rounding = 1e-6
		sound := xy >= 0 && xy == m.distance(y, x) && xy <= m.most && m.distance(x, x) == 0 && xz <= (xy+yz)*(1+rounding)
		if !sound {
			return fmt.Errorf("%s: the %s distance of the table's vectors is no metric", who, m.name)
		}
	}
	return nil
}

// arc is arsinh(y) where sign is 1, y >= 0, and arcsin(y) where it is -1,
// 0 <= y <= 1: the same number on every machine, since only exactly rounded
// operations are used and none is fused. Arguments are halved by
// arc(y) = 2 arc(y/sqrt(2 (1 + sqrt(1 + sign y^2)))), then summed as a series.
func arc(y, sign float64) float64 {
	scale := 1.0
	for y > 0.125 {
		y /= math.Sqrt(2 * (1 + math.Sqrt(1+sign*float64(y*y))))
		scale *= 2
	}
	square := float64(y * y)
	term, sum := y, y
	for n := 1.0; n < 10; n++ {
		// Coefficients (2n-1)!!/((2n)!! (2n+1)), signs alternating for arsinh.
		term = -sign * float64(float64(term*square)*(2*n-1)/(2*n))
		sum += float64(term / (2*n + 1))
	}
	return scale * sum
}
