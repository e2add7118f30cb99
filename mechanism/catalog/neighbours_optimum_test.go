package catalog

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"math"
	"strconv"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/mechanism/internal/sets"
	"gonum.org/v1/gonum/optimize"
)

// leastPossibleDistance bounds from below the mean distance from input to output
// of every channel over the table that is word-level epsilon-DP.
//
// The channels are a linear program: columns P(y|x) within [t_y, e^epsilon t_y].
// Its dual is to maximise the sum of l_x where, for every y,
//
//	g_y(l) = sum over x of f(d(x,y) - l_x) >= 0, f(u) = u for u >= 0, e^epsilon u below.
//
// Any l becomes feasible when one number s is added to all of it, so every l gives
// a bound; the search for a good one (a smoothed minimum over y, by L-BFGS) needs
// no trust.
func leastPossibleDistance(t *testing.T, table *embedding.Table, epsilon float64) float64 {
	n, e := table.Len(), math.Exp(epsilon)
	d := make([][]float64, n)
	for y := range n {
		d[y] = make([]float64, n)
		for x := range n {
			d[y][x] = table.Distance(embedding.ID(x), embedding.ID(y))
		}
	}
	// shift is the largest s with g_y(l + s) >= 0, by Newton's steps from above
	// (g is concave and falls), and slopes its derivatives there.
	shift := func(y int, l, slopes []float64) float64 {
		s := math.Inf(-1)
		for x, lx := range l {
			s = max(s, d[y][x]-lx)
		}
		for {
			value, slope := 0.0, 0.0
			for x, lx := range l {
				u, f := d[y][x]-lx-s, 1.0
				if u < 0 {
					f = e
				}
				value, slope, slopes[x] = value+f*u, slope+f, f
			}
			if value >= -1e-12*slope {
				for x := range slopes {
					slopes[x] /= slope
				}
				return s - 1e-12
			}
			s += value / slope
		}
	}
	shifts, slopes := make([]float64, n), make([][]float64, n)
	for y := range slopes {
		slopes[y] = make([]float64, n)
	}
	temperature := 0.0
	evaluate := func(grad, l []float64) (smooth, bound float64) {
		mean := 0.0
		for _, v := range l {
			mean += v / float64(n)
		}
		least := math.Inf(1)
		for y := range n {
			shifts[y] = shift(y, l, slopes[y])
			least = min(least, shifts[y])
		}
		total := 0.0
		for _, s := range shifts {
			total += math.Exp((least - s) / temperature)
		}
		for x := range grad {
			grad[x] = -1 / float64(n)
		}
		for y, s := range shifts {
			q := math.Exp((least-s)/temperature) / total
			for x := range grad {
				grad[x] += q * slopes[y][x]
			}
		}
		return -(mean + least - temperature*math.Log(total)), mean + least
	}
	l, best := make([]float64, n), 0.0
	for temperature = 0.3; temperature > 2e-4; temperature /= 3 {
		p := optimize.Problem{
			Func: func(l []float64) float64 {
				smooth, bound := evaluate(nil, l)
				best = max(best, bound)
				return smooth
			},
			Grad: func(grad, l []float64) { evaluate(grad, l) },
		}
		result, _ := optimize.Minimize(p, l, &optimize.Settings{MajorIterations: 150}, &optimize.LBFGS{})
		if result == nil {
			t.Fatal("the bound's search did not start")
		}
		copy(l, result.X)
	}
	return best
}

// meanDistance returns the exact mean distance from input to output.
func meanDistance(c mechanism.Channel, table *embedding.Table) float64 {
	sum := 0.0
	for x := range table.Len() {
		row := c.Weights(nil, embedding.ID(x))
		total, moved := 0.0, 0.0
		for y, w := range row {
			total += float64(w)
			moved += float64(w) * table.Distance(embedding.ID(x), embedding.ID(y))
		}
		sum += moved / total
	}
	return sum / float64(table.Len())
}

// The two-level channel chosen for distance against all channels there are.
func TestDistanceComesWithinThreePercentOfEveryChannel(t *testing.T) {
	stage.Unraced(t)
	for name, open := range map[string]func(*testing.T) *embedding.Table{
		"random in 3 dimensions": func(t *testing.T) *embedding.Table { return oracle.RandomTable(t, 60, 3) },
		"random in 20":           func(t *testing.T) *embedding.Table { return oracle.RandomTable(t, 40, 20) },
		"glove from 0":           func(t *testing.T) *embedding.Table { return between(t, 0, 60) },
		"glove from 3,000":       func(t *testing.T) *embedding.Table { return between(t, 3000, 60) },
	} {
		t.Run(name, func(t *testing.T) {
			table := open(t)
			for _, epsilon := range []float64{0.5, 1, 2, 4, 6} {
				limit := leastPossibleDistance(t, table, epsilon)
				of := map[string]float64{}
				for what, parameters := range map[string]map[string]string{"distance": {"objective": "distance"}, "default": nil} {
					m, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
					if err != nil {
						t.Fatal(err)
					}
					of[what] = meanDistance(m.(mechanism.Channel), table)
				}
				t.Logf("epsilon %g: limit %.4f, distance %+.2f %%, all words as outputs %+.2f %%", epsilon, limit,
					100*(of["distance"]/limit-1), 100*(of["default"]/limit-1))
				if of["distance"] > 1.03*limit || of["distance"] < limit*(1-1e-9) {
					t.Errorf("epsilon %g: mean distance %g, and no channel has less than %g", epsilon, of["distance"], limit)
				}
			}
		})
	}
}

// Where not every word can be a candidate the search still does no worse than
// all words as outputs, by a true mean over all words, and keeps a cap.
func TestDistanceOnALongerTableIsNoWorseThanAllWords(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, 3*sets.MostCandidates+5, 5)
	for _, epsilon := range []float64{1, 4, 8} {
		of := map[string]float64{}
		for _, what := range []string{"searched", "all words"} {
			parameters := map[string]string{"attack": "0.05", "objective": "distance"}
			if what == "all words" {
				parameters["outputs"] = strconv.Itoa(table.Len())
			}
			made, err := newNeighbours(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
			if err != nil {
				t.Fatal(err)
			}
			c := made.(*sets.Words)
			of[what] = meanDistance(c, table)
			if c.BestGuess() > 0.05 {
				t.Errorf("epsilon %g, %s: the best guess succeeds with %g, above the cap", epsilon, what, c.BestGuess())
			}
			t.Logf("epsilon %g, %s: %d outputs, sets of %d, mean distance %.4f", epsilon, what, c.Outputs.Len(), c.Levels().Size, of[what])
		}
		if of["searched"] > 1.02*of["all words"] {
			t.Errorf("epsilon %g: mean distance %g, all words as outputs have %g", epsilon, of["searched"], of["all words"])
		}
	}
}

// between returns a table of GloVe's words from a rank on.
func between(t *testing.T, from, n int) *embedding.Table {
	all := oracle.Glove(t, from+n)
	s := embedding.Source{Dim: all.Dim()}
	for x := from; x < from+n; x++ {
		s.Words = append(s.Words, all.Word(embedding.ID(x)))
		s.Vectors = all.Vector(s.Vectors, embedding.ID(x))
	}
	return oracle.MustTable(t, s)
}
