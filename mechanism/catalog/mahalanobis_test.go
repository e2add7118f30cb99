package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/additive"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// stretched returns a table whose second component varies four times as much as its
// first, with which it is correlated.
func stretched(t testing.TB) *embedding.Table {
	rng := noise.Seeded(8, 8)
	s := embedding.Source{Name: "stretched", Dim: 2}
	for i := range 400 {
		s.Words = append(s.Words, "w"+string(rune('0'+i/100))+string(rune('0'+i/10%10))+string(rune('0'+i%10)))
		x, y := noise.Normal(rng), noise.Normal(rng)
		s.Vectors = append(s.Vectors, float32(x), float32(3.5*y+2*x))
	}
	return oracle.MustTable(t, s)
}

// The covariance of the noise is S E r^2/d = S (d+1)/epsilon^2 and the norm in
// the metric follows Gamma(d, 1/epsilon). Madlib's noise has the same norm and
// another shape: it fails.
func TestMahalanobisNoiseHasTheTablesShape(t *testing.T) {
	stage.Unraced(t)
	table := stretched(t)
	const lambda, epsilon, draws = 0.75, 2, 100_000
	// S by hand, from the table's moments.
	var xs, ys []float64
	for i := range table.Len() {
		v := table.Vector(nil, embedding.ID(i))
		xs, ys = append(xs, float64(v[0])), append(ys, float64(v[1]))
	}
	n := float64(table.Len())
	biased := (n - 1) / n
	xx, yy, xy := stat.Variance(xs, nil)*biased, stat.Variance(ys, nil)*biased, stat.Covariance(xs, ys, nil)*biased
	to := 2 / (xx + yy)
	s := [3]float64{lambda*xx*to + 1 - lambda, lambda*yy*to + 1 - lambda, lambda * xy * to}
	det := s[0]*s[1] - s[2]*s[2]

	fits := func(m *additive.Words) bool {
		fill := make([]float32, 2*draws)
		m.Fill(fill, noise.Seeded(testseed.Of(t, 31), 0))
		var vx, vy, vxy float64
		counts := make([]int, 20)
		gamma := distuv.Gamma{Alpha: 2, Beta: epsilon}
		for i := 0; i < len(fill); i += 2 {
			x, y := float64(fill[i]), float64(fill[i+1])
			vx, vy, vxy = vx+x*x/draws, vy+y*y/draws, vxy+x*y/draws
			norm := math.Sqrt((s[1]*x*x - 2*s[2]*x*y + s[0]*y*y) / det)
			counts[min(19, int(20*gamma.CDF(norm)))]++
		}
		// The fourth moment of a component is E r^4 3/(d(d+2)) S_kk^2 = 45/epsilon^4
		// S_kk^2, its second 3/epsilon^2 S_kk: a mean of 100,000 squares has a
		// relative standard deviation of 2/316 = 0.0064 (below that for the product,
		// against sqrt(S_xx S_yy)). Six of them fail with chance 2e-9.
		off := 6 * 0.0064
		unit := 3.0 / (epsilon * epsilon)
		moments := math.Abs(vx/(unit*s[0])-1) < off && math.Abs(vy/(unit*s[1])-1) < off && math.Abs(vxy-unit*s[2]) < off*unit*math.Sqrt(s[0]*s[1])
		uniform := make([]uint64, 20)
		for i := range uniform {
			uniform[i] = 1
		}
		return moments && oracle.ChiSquare(counts, uniform, draws) > oracle.FalseFailure
	}
	if m := oracle.MustOpen(t, mahalanobisEntry, table, epsilon, map[string]string{"lambda": "0.75"}).(*additive.Words); !fits(m) {
		t.Error("the noise has not the shape of the table's covariance")
	}
	if m := oracle.MustOpen(t, madlibEntry, table, epsilon, nil).(*additive.Words); fits(m) {
		t.Error("madlib's noise passes")
	}
	if m := oracle.MustOpen(t, mahalanobisEntry, table, epsilon, map[string]string{"lambda": "0"}).(*additive.Words); fits(m) {
		t.Error("noise at lambda 0 passes")
	}
}

func TestMahalanobisRefusesASingularCovarianceAtLambdaOne(t *testing.T) {
	flat := oracle.MustTable(t, embedding.Source{Name: "flat", Words: []string{"a", "b", "c"}, Dim: 2, Vectors: []float32{1, 1, 2, 2, 3, 3}})
	_, err := mahalanobisEntry.New(t.Context(), flat, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"lambda": "1"}})
	if err == nil || err.Error() != "mahalanobis: lambda must be below 1, got 1: the table's covariance is singular" {
		t.Errorf("lambda 1 over words on a line: %v", err)
	}
	if _, err := mahalanobisEntry.New(t.Context(), flat, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"lambda": "0.9"}}); err != nil {
		t.Error(err)
	}
	if _, err := mahalanobisEntry.New(t.Context(), stretched(t), mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"lambda": "1"}}); err != nil {
		t.Error(err)
	}
}

func TestLowerMatrixMultipliesInPlace(t *testing.T) {
	l := lower{}
	v := make([]float32, 11)
	want := make([]float32, 11)
	for i := range v {
		v[i] = float32(i + 1)
	}
	for i := range v {
		row := make([]float32, i+1)
		for k := range row {
			row[k] = float32(i*k%7) - 2
			want[i] += row[k] * v[k]
		}
		l.rows = append(l.rows, row)
	}
	l.multiply(v)
	for i := range v {
		if v[i] != want[i] {
			t.Errorf("component %d is %g, want %g", i, v[i], want[i])
		}
	}
}
