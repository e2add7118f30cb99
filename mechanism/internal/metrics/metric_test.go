package metrics

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"gonum.org/v1/gonum/mat"
)

func openMetric(t testing.TB, table *embedding.Table, name string) Metric {
	t.Helper()
	p := parameters.Read("exponential", mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"metric": name}})
	m := Read(t.Context(), p, table)
	if _, err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDistancesAreThoseOfTheirDefinitions(t *testing.T) {
	table, ball := oracle.RandomTable(t, 40, 6), oracle.Poincare(t, 40, 6)
	chol, err := Shape(t.Context(), "test", table, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	var shaped mat.SymDense
	chol.ToSym(&shaped)
	var inverse mat.Dense
	if err := inverse.Inverse(&shaped); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		table *embedding.Table
		want  func(x, y []float32) float64
	}{
		"angular": {table, func(x, y []float32) float64 {
			dot := 0.0
			for k := range x {
				dot += float64(x[k]) * float64(y[k])
			}
			return math.Acos(dot / length(x) / length(y))
		}},
		"hyperbolic": {ball, func(x, y []float32) float64 {
			q := 0.0
			for k := range x {
				e := float64(x[k]) - float64(y[k])
				q += e * e
			}
			a, b := length(x), length(y)
			return math.Acosh(1 + 2*q/((1-a*a)*(1-b*b)))
		}},
		"mahalanobis": {table, func(x, y []float32) float64 {
			v := mat.NewVecDense(len(x), nil)
			for k := range x {
				v.SetVec(k, float64(x[k])-float64(y[k]))
			}
			return math.Sqrt(mat.Inner(v, &inverse, v))
		}},
	} {
		m := openMetric(t, c.table, name)
		if !strings.HasPrefix(m.Name, name) {
			t.Errorf("%s is called %s", name, m.Name)
		}
		row := make([]float64, 40)
		m.Squares(m.Table, row, []embedding.ID{3}, 0, 40)
		for y := range row {
			a, b := c.table.Vector(nil, 3), c.table.Vector(nil, embedding.ID(y))
			got := m.Distance(3, embedding.ID(y))
			if m.Square(3, embedding.ID(y)) != row[y] {
				t.Errorf("%s: the row and the entry of word %d differ", name, y)
			}
			if want := c.want(a, b); y != 3 && math.Abs(got-want) > 1e-5*max(1, want) {
				t.Errorf("%s: distance %g, want %g", name, got, want)
			}
			if got > m.Most {
				t.Errorf("%s: distance %g passes the bound %g", name, got, m.Most)
			}
		}
	}
}

func TestWhatIsNoMetricIsRefused(t *testing.T) {
	table := oracle.RandomTable(t, 40, 3)
	open := func(table *embedding.Table, name string) error {
		_, err := exponentialEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1, Parameters: map[string]string{"metric": name}})
		return err
	}
	for want, err := range map[string]error{
		`exponential: metric must be euclidean, angular, mahalanobis or hyperbolic, got "cosine"`:                      open(table, "cosine"),
		"exponential: metric: a word's vector is outside the unit ball of hyperbolic distances; choose another metric": open(table, "hyperbolic"),
		"exponential: metric: a word has a zero vector, which makes no angle; choose another metric":                   open(oracle.Line(t, 5), "angular"),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	squared := Euclidean(table)
	squared.Warp = func(q float64, _, _ embedding.ID) float64 { return q * q }
	squared.Most = 1e9
	if squared.check("test") == nil {
		t.Error("the squared distance passes for a metric")
	}
	lame := Euclidean(table)
	lame.Warp = func(q float64, x, y embedding.ID) float64 {
		if x < y {
			return q * 1.01
		}
		return q
	}
	lame.Most = 1e9
	if lame.check("test") == nil {
		t.Error("an asymmetric distance passes for a metric")
	}
}

func length(v []float32) float64 {
	square := 0.0
	for _, c := range v {
		square += float64(c) * float64(c)
	}
	return math.Sqrt(square)
}
