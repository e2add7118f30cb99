package directions

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/internal/int8grid"
)

// grid are vectors of public texts.
type grid [][]int8

func (g grid) Len() int                        { return len(g) }
func (g grid) Dim() int                        { return len(g[0]) }
func (g grid) Vector(dst []int8, i int) []int8 { return append(dst, g[i]...) }
func (g grid) float(i int) (v []float32) {
	for _, x := range g[i] {
		v = append(v, float32(x))
	}
	return v
}

// spread are vectors around a point, with two directions in which they vary most.
func spread(n, dim int) (g grid) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		v := make([]float64, dim)
		for k := range v {
			v[k] = 3 + 0.1*rng.NormFloat64()
		}
		v[1] += 4 * rng.NormFloat64()
		v[2] += 2 * rng.NormFloat64()
		g = append(g, int8grid.Append(nil, v))
	}
	return g
}

// The map keeps the directions in which public texts vary, whether all are computed or only the
// leading ones, and every vector has a unit vector.
func TestEncodedWhiteningKeepsWhatVaries(t *testing.T) {
	for _, dim := range []int{6, 60} {
		w, err := NewEncodedWhitening(t.Context(), spread(500, dim), 2)
		if err != nil {
			t.Fatal(err)
		}
		for r, axis := range []int{1, 2} {
			row := w.rows[r*dim : (r+1)*dim]
			square := 0.0
			for _, x := range row {
				square += x * x
			}
			if share := row[axis] * row[axis] / square; share < 0.8 {
				t.Errorf("%d dimensions: direction %d is along axis %d by %.2f", dim, r, axis, share)
			}
		}
		hostile := [][]float32{make([]float32, dim), spread(1, dim).float(0)}
		for _, x := range []float32{float32(math.NaN()), float32(math.Inf(1)), math.MaxFloat32} {
			v := make([]float32, dim)
			v[0] = x
			hostile = append(hostile, v)
		}
		unit := make([]float64, 2)
		for _, v := range hostile {
			w.Unit(unit, v)
			if length := math.Hypot(unit[0], unit[1]); math.Abs(length-1) > 1e-12 {
				t.Errorf("%d dimensions: %v becomes a vector of length %g", dim, v[:2], length)
			}
		}
	}
}

// The map is that of some texts, and names them by its digest. Texts that are all alike give one too.
func TestEncodedWhiteningIsOfItsTexts(t *testing.T) {
	digest := func(g grid) string {
		w, err := NewEncodedWhitening(t.Context(), g, 2)
		if err != nil {
			t.Fatal(err)
		}
		return w.Digest()
	}
	all := spread(50, 40)
	one := digest(all)
	if one != digest(spread(50, 40)) || one == digest(all[1:]) {
		t.Error("the digest does not follow from the texts alone")
	}
	digest(grid{all[0], all[0], all[0]})
}
