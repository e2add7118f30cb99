// Package metrics computes distances between the words of a table, with a proven
// bound on their rounding.
package metrics

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/mechanism"
)

// Metric is a distance between the words of a table, computed from the exact
// squared Euclidean distances of a table made for it.
type Metric struct {
	Name  string
	Table *embedding.Table // the words in the order of the original
	// Warp maps a squared Euclidean distance of two words, in steps squared, to
	// the square of their distance, in the same unit; nil is the identity.
	Warp func(q float64, x, y embedding.ID) float64
	Most float64 // bounds the distance of any two words
	// rounding bounds the relative error of a computed distance. The exact
	// distances obey the triangle inequality, so the computed ones break it by at
	// most 4 rounding times the largest distance that counts: see defect.
	rounding float64
}

// The relative errors of distances, in the notes' proofs. A warped distance is
// about 50 roundings of 2^-53 away from exact.
const (
	euclideanRounding = 0x1p-53
	warpedRounding    = 0x1p-47
)

func Euclidean(table *embedding.Table) Metric {
	return Metric{Name: "euclidean", Table: table, Most: table.Diameter(), rounding: euclideanRounding}
}

// Defect bounds min(d(x,z), gamma) - min(d(x,y), gamma) - min(d(y,z), gamma) over
// all words, d the computed distances. Where it is positive, the two subtracted
// sum to s < min(most, gamma), and with r the relative error of a distance
// d(x,z) <= (1+r)/(1-r) s: the excess is below 4 r s.
func (m Metric) Defect(gamma float64) float64 { return float64(4 * m.rounding * min(m.Most, gamma)) }

// Squares writes, for each x of xs in turn, the squared distances from x to the
// words in [from, to), in steps squared. The Euclidean ones come from the metric's
// table or from columns of it.
func (m Metric) Squares(source Squarer, dst []float64, xs []embedding.ID, from, to int) {
	source.SquaredDistances(dst, xs, from, to)
	if m.Warp == nil {
		return
	}
	width := to - from
	for i, x := range xs {
		row := dst[i*width : (i+1)*width]
		for j, q := range row {
			row[j] = m.Warp(q, x, embedding.ID(from+j))
		}
	}
}

// Square returns one entry of Squares, the same number.
func (m Metric) Square(x, y embedding.ID) float64 {
	q := m.Table.SquaredDistance(x, y)
	if m.Warp != nil {
		q = m.Warp(q, x, y)
	}
	return q
}

func (m Metric) Distance(x, y embedding.ID) float64 {
	return float64(m.Table.Step() * math.Sqrt(m.Square(x, y)))
}

// Every returns the metric over every k-th word.
func (m Metric) Every(k int) (Metric, error) {
	table, err := m.Table.Every(k)
	thin := Metric{Name: m.Name, Table: table, Most: m.Most, rounding: m.rounding}
	if m.Warp != nil {
		thin.Warp = func(q float64, x, y embedding.ID) float64 {
			return m.Warp(q, x*embedding.ID(k), y*embedding.ID(k))
		}
	}
	return thin, err
}

// parameterName is the name of Parameter, which metrics that refuse a table give too.
const parameterName = "metric"

// Lambda is only for the metric mahalanobis.
var Lambda = mechanism.Parameter{Name: "lambda", Kind: mechanism.Number, Default: "0.5", Accepts: mechanism.Between(0, 1),
	Help: "weight of the table's covariance, 1 needs one of full rank; for the mahalanobis distance"}

// Mapped returns the table's words with the images of their vectors in dim
// dimensions. image is called by many goroutines.
func Mapped(ctx context.Context, t *embedding.Table, dim int, image func(dst []float64, v []float32)) (*embedding.Table, error) {
	s := embedding.Source{Name: t.Name(), Dim: dim, Vectors: make([]float32, t.Len()*dim), Unknown: t.Word(t.Unknown())}
	for x := range t.Len() {
		s.Words = append(s.Words, t.Word(embedding.ID(x)))
	}
	err := parallel.IDs(ctx, 0, t.Len(), 32, func(xs []embedding.ID) {
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

// check tests the axioms on random triples of words. It finds a distance that is
// not a metric at all; the note proves that the axioms hold up to the defect,
// which theorem and certificate need.
func (m Metric) check(who string) error {
	rng := rand.New(rand.NewPCG(1, 1)) // public words, in public order
	n := m.Table.Len()
	pick := func() embedding.ID { return embedding.ID(rng.IntN(n)) }
	for range 4000 {
		x, y, z := pick(), pick(), pick()
		xy, yz, xz := m.Distance(x, y), m.Distance(y, z), m.Distance(x, z)
		sound := xy >= 0 && xy == m.Distance(y, x) && xy <= m.Most && m.Distance(x, x) == 0 && xz <= xy+yz+m.Defect(math.Inf(1))
		if !sound {
			return fmt.Errorf("%s: the %s distance of the table's vectors is no metric", who, m.Name)
		}
	}
	return nil
}

// Squarer computes squared distances, as an embedding.Table does.
type Squarer interface {
	SquaredDistances(dst []float64, xs []embedding.ID, from, to int)
}
