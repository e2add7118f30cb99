package packing

import (
	"context"
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

// channelProgram is the linear program over all channels of a small table:
//
//	min  sum_xy d(x,y) P(y|x)
//	s.t. P(y|x) e^(-epsilon d(x,z)) <= P(y|z)   for all x, z, y
//	     sum_y P(y|x) = 1,  sum_x P(x|x) >= kept,  P >= 0.
//
// It is solved by the primal-dual hybrid gradient method with diagonal steps
// (Pock and Chambolle 2011), and its dual point gives a lower bound that holds
// at every iteration.
type channelProgram struct {
	n        int
	d, decay []float64 // n x n
	kept     float64
}

// bound returns the best lower bound within the given rounds; a bound of enough
// ends the search.
func (p channelProgram) bound(rounds int, enough float64) float64 {
	n := p.n
	P, old, reduced := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	lambda := make([]float64, n*n*n) // x, z, y
	mu := make([]float64, n)
	nu := 0.0
	// Steps: one over the absolute sums of columns and rows.
	tau := make([]float64, n) // of P(y|x), by x
	for x := range n {
		sum := 2.0 // its row, and the kept share
		for z := range n {
			if z != x {
				sum += p.decay[x*n+z] + 1
			}
		}
		tau[x] = 1 / sum
		for y := range n {
			P[x*n+y] = 1 / float64(n)
		}
	}
	best := math.Inf(-1)
	for round := range rounds {
		// Reduced costs d + A' lambda - mu - nu [x = y].
		for x := range n {
			for y := range n {
				c := p.d[x*n+y] - mu[x]
				if x == y {
					c -= nu
				}
				reduced[x*n+y] = c
			}
		}
		for x := range n {
			for z := range n {
				if z == x {
					continue
				}
				l, decay := lambda[(x*n+z)*n:][:n], p.decay[x*n+z]
				rx, rz := reduced[x*n:][:n], reduced[z*n:][:n]
				for y, v := range l {
					rx[y] += decay * v
					rz[y] -= v
				}
			}
		}
		if round%200 == 199 {
			value := nu * p.kept
			for x := range n {
				least := math.Inf(1)
				for _, c := range reduced[x*n:][:n] {
					least = min(least, c)
				}
				value += mu[x] + least
			}
			if best = max(best, value); best >= enough {
				return best
			}
		}
		copy(old, P)
		for i := range P {
			P[i] = max(0, P[i]-tau[i/n]*reduced[i])
		}
		diagonal := 0.0
		for x := range n {
			sum := 0.0
			for y := range n {
				sum += 2*P[x*n+y] - old[x*n+y]
			}
			mu[x] += (1 - sum) / float64(n)
			diagonal += 2*P[x*n+x] - old[x*n+x]
		}
		nu = max(0, nu+(p.kept-diagonal)/float64(n))
		for x := range n {
			for z := range n {
				if z == x {
					continue
				}
				l, decay := lambda[(x*n+z)*n:][:n], p.decay[x*n+z]
				sigma := 1 / (decay + 1)
				for y := range l {
					a, b := 2*P[x*n+y]-old[x*n+y], 2*P[z*n+y]-old[z*n+y]
					l[y] = max(0, l[y]+sigma*(decay*a-b))
				}
			}
		}
	}
	return best
}

// At packing's own unchanged rate, which the packing program's bound shows to be
// the largest, no channel at all moves words less by a hundredth. The calibrated
// exponential mechanism fails the same test.
func TestNoChannelOfThirtyWordsMovesThemLess(t *testing.T) {
	stage.Unraced(t)
	const n = 30
	table := oracle.Glove(t, n)
	epsilons := []float64{0.8}
	if stage.Runs(stage.Large) {
		epsilons = []float64{0.5, 0.8, 1.2}
	}
	for _, epsilon := range epsilons {
		data, err := compilePacking(context.Background(), table, epsilon, Effort{Gap: 5e-4})
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		m := newPacked(table, compiled, nil)
		kept, moved := oracle.UseOf(m, table)
		if c := m.compiled; c.Value < c.Bound*(1-1e-3) || math.Abs(kept-c.Value) > 1e-3 {
			t.Errorf("epsilon %g: %g stay, the channel's file says %g of at most %g", epsilon, kept, c.Value, c.Bound)
		}
		if b := newChannelProgram(table, epsilon, kept).bound(20_000, moved/1.01*n) / n; moved > 1.01*b {
			t.Errorf("epsilon %g: words move by %g, every channel that keeps as many moves them by %g or more", epsilon, moved, b)
		}
	}
	e := oracle.MustOpen(t, exponentialEntry, table, 0.8, nil).(mechanism.Channel)
	kept, moved := oracle.UseOf(e, table)
	if b := newChannelProgram(table, 0.8, kept).bound(2000, math.Inf(1)) / n; moved < 1.05*b {
		t.Errorf("the exponential mechanism moves words by %g, near the bound of %g: the test has no power", moved, b)
	}
}

func newChannelProgram(table *embedding.Table, epsilon, kept float64) channelProgram {
	n := table.Len()
	p := channelProgram{n: n, d: make([]float64, n*n), decay: make([]float64, n*n), kept: kept * float64(n)}
	for x := range n {
		for y := range n {
			p.d[x*n+y] = table.Distance(embedding.ID(x), embedding.ID(y))
			p.decay[x*n+y] = math.Exp(-epsilon * p.d[x*n+y])
		}
	}
	return p
}
