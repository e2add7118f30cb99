package sets

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/mechanism/internal/shipped"
)

// insideOf is the chance of the set by its definition: k weights of e^epsilon, m - k of 1.
func insideOf(k, m int, epsilon float64) float64 {
	high := float64(k) * math.Exp(epsilon)
	return high / (high + float64(m-k))
}

var sizes = []struct {
	m       int
	epsilon float64
}{{2, 1}, {3, 0.01}, {10, 8}, {11, 8}, {12, 4}, {40, 0.5}, {40, 2}, {100, 3}, {1000, 4}, {5230, 8}, {33535, 1}, {33535, 4}}

// Even halves the chance as well as a whole k can: neither neighbour is nearer to m/(e^epsilon
// + 1), except where the bounds hold.
func TestEvenIsTheNearestSizeWithinItsBounds(t *testing.T) {
	for _, c := range sizes {
		k, exact := Even(c.m, c.epsilon), float64(c.m)/(math.Exp(c.epsilon)+1)
		least, most := min(10, (c.m+2)/3), max(1, c.m-1)
		want := min(max(int(math.Floor(exact+0.5)), least), most)
		if k != want {
			t.Errorf("M %d, epsilon %g: k is %d, want %d", c.m, c.epsilon, k, want)
		}
		if inside := insideOf(k, c.m, c.epsilon); k > 30 && k < most && math.Abs(inside-0.5) > 0.01 {
			t.Errorf("M %d, epsilon %g: a draw is in the set of %d with chance %g", c.m, c.epsilon, k, inside)
		}
	}
	if Even(1, 1) != 1 || Even(2, 700) != 1 || Even(1000, 1e6) != 10 {
		t.Error("the bounds do not hold at the ends")
	}
}

// Inside is the smallest size with at least the chance.
func TestInsideIsTheSmallestSize(t *testing.T) {
	for _, c := range sizes {
		for _, chance := range []float64{0.01, 0.1, 0.5, 0.9, 0.999} {
			k := Inside(c.m, c.epsilon, chance)
			if k < 1 || k > max(1, c.m-1) {
				t.Fatalf("M %d, epsilon %g, chance %g: k is %d", c.m, c.epsilon, chance, k)
			}
			if insideOf(k, c.m, c.epsilon) < chance*(1-1e-12) && k < c.m-1 {
				t.Errorf("M %d, epsilon %g: a set of %d has chance %g, want %g", c.m, c.epsilon, k, insideOf(k, c.m, c.epsilon), chance)
			}
			if k > 1 && insideOf(k-1, c.m, c.epsilon) >= chance*(1+1e-12) {
				t.Errorf("M %d, epsilon %g: a set of %d has chance %g already", c.m, c.epsilon, k-1, chance)
			}
		}
	}
}

// The chance and the information of a set are those of its row, added up output by output.
func TestFiguresOfSetsAreThoseOfTheRow(t *testing.T) {
	for _, c := range sizes[:9] {
		for k := 1; k <= c.m; k += max(1, c.m/7) {
			p := insideOf(k, c.m, c.epsilon)
			if got := Chance(k, c.m, c.epsilon); math.Abs(got-p) > 1e-12 {
				t.Errorf("k %d of %d: the chance is %g, want %g", k, c.m, got, p)
			}
			information := 0.0
			for y := range c.m { // the marginal chance of an output is 1/m
				q := p / float64(k)
				if y >= k {
					q = (1 - p) / float64(c.m-k)
				}
				information += q * math.Log(q*float64(c.m))
			}
			if got := Information(k, c.m, c.epsilon); math.Abs(got-information) > 1e-9 {
				t.Errorf("k %d of %d: the information is %g, want %g", k, c.m, got, information)
			}
		}
	}
}

// LeastSize is the smallest set at which the best guess of a word is rare enough.
func TestLeastSizeMeetsTheCapAndNoSmallerDoes(t *testing.T) {
	guess := func(k, n, m int, epsilon float64) float64 {
		return insideOf(k, m, epsilon) / float64(k) * float64(m) / float64(n)
	}
	for _, c := range []struct {
		n, m    int
		epsilon float64
	}{{200, 200, 4}, {200, 50, 4}, {1000, 1000, 8}, {30, 10, 1}} {
		for _, attack := range []float64{1.01 / float64(c.n), 0.02, 0.1, 0.3, 0.9} {
			if attack < 1/float64(c.n) {
				continue
			}
			k := LeastSize(c.n, c.m, c.epsilon, attack)
			if k < 1 || k > c.m || guess(k, c.n, c.m, c.epsilon) > attack*(1+1e-9) {
				t.Errorf("%+v, attack %g: sets of %d leave %g", c, attack, k, guess(k, c.n, c.m, c.epsilon))
			}
			if k > 1 && guess(k-1, c.n, c.m, c.epsilon) <= attack*(1-1e-9) {
				t.Errorf("%+v, attack %g: sets of %d leave %g already", c, attack, k-1, guess(k-1, c.n, c.m, c.epsilon))
			}
		}
	}
}

// The sizes by an objective maximise or minimise it over all sizes of a curve.
func TestSizesByAnObjectiveAreTheBestOnes(t *testing.T) {
	const m = 40
	var curve []shipped.Point
	for k := 1; k <= m; k++ { // distances grow with the set, and its mean comes nearer to all
		curve = append(curve, shipped.Point{K: k, Mean: 1 + 3*math.Sqrt(float64(k)/m), Signal: 2 - 2*float64(k)/m})
	}
	for _, epsilon := range []float64{0.3, 1, 3, 6} {
		signal, distance, readable := 0, 0, 0
		best, least, reads := -1.0, math.Inf(1), -1.0
		for k := 1; k <= m; k++ {
			z := float64(k)*math.Exp(epsilon) + float64(m-k)
			pin := float64(k) * (math.Exp(epsilon) - 1) / z
			if v := pin * curve[k-1].Signal; v > best {
				signal, best = k, v
			}
			if v := pin*curve[k-1].Mean + (1-pin)*curve[m-1].Mean; v < least {
				distance, least = k, v
			}
			v := 0.0
			for rank := 1; rank <= m; rank++ {
				if rank <= k {
					v += math.Exp(epsilon) / z / float64(rank)
				} else {
					v += 1 / z / float64(rank)
				}
			}
			if v > reads {
				readable, reads = k, v
			}
		}
		if got := mostSignal(curve, m, epsilon); got != signal {
			t.Errorf("epsilon %g: the size of most signal is %d, want %d", epsilon, got, signal)
		}
		if got, at := leastDistance(curve, m, epsilon); got != distance || math.Abs(at-least) > 1e-12 {
			t.Errorf("epsilon %g: the size of least distance is %d (%g), want %d (%g)", epsilon, got, at, distance, least)
		}
		if got := mostReadable(m, epsilon); got != readable {
			t.Errorf("epsilon %g: the most readable size is %d, want %d", epsilon, got, readable)
		}
	}
}
