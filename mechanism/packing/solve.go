package packing

import (
	"math"
	"sync"
	"time"
)

// effort configures when a solve may stop, and its callbacks.
type effort struct {
	gap    float64 // distance of value and bound that is close enough, relative to what stays and to what moves
	sweeps int     // at most; 0 is no limit
	until  time.Time
	// report is called with the best value and bound so far, divided by n.
	report func(sweep int, value, bound float64)
	// save is called with the solver's state, every saveEvery and at the end.
	save func(sweep int, bound float64, at iterate) error
}

const saveEvery = 20 * time.Second

// packed is what a solve found: a feasible a, its value, an upper bound on the
// value of any feasible a, and the iterate to go on from.
type packed struct {
	a            []float32
	value, bound float64
	sweeps       int
	at           iterate
	stopped      time.Time // when the last sweep ended
	late         bool      // whether time ended the solve before its gap was reached
}

// solve runs an augmented Lagrangian method: coordinate descent on a against
//
//	-w'a + sum max(0, v)^2/(2 beta),  v = multipliers + beta (K a - r)
//
// and the same for the cuts, with multipliers <- max(0, v) after every sweep. A
// second goroutine turns iterates into feasible points and bounds concurrently. If
// ctx ends, both stop and solve returns its error.
func (p *program) solve(from *iterate, e effort) (packed, error) {
	s := newDescent(p, from)
	best := packed{value: -1, bound: math.Inf(1)}
	judged := make(chan packed, 1)
	var judging bool
	var wait sync.WaitGroup
	defer wait.Wait()
	take := func(c packed) {
		judging = false
		best.bound = min(best.bound, c.bound)
		if c.value > best.value {
			best.a, best.value = c.a, c.value
		}
		if e.report != nil {
			e.report(s.sweeps, best.value, best.bound)
		}
	}
	judge := func(it iterate) packed {
		c := packed{bound: p.upperBound(it)}
		c.a, c.value = p.feasible(it.a)
		return c
	}
	const (
		small  = 500  // words for which a judgement costs too little to be made beside
		pace   = 5    // sweeps between judgements of so few
		beside = 10   // sweeps beside which each other judgement is made
		finest = 2e-6 // of value and bound, which are sums of float32
	)
	close := func() bool { return best.bound-best.value <= max(finest, e.gap*min(best.value, 1-best.value)) }
	done := func() bool {
		return close() ||
			e.sweeps > 0 && s.sweeps >= e.sweeps || !e.until.IsZero() && time.Now().After(e.until)
	}
	saved := time.Now()
	for !done() {
		s.sweep()
		if err := p.ctx.Err(); err != nil { // the sweep was not finished
			return best, err
		}
		if e.save != nil && time.Since(saved) > saveEvery {
			if err := e.save(s.sweeps, best.bound, s.iterate()); err != nil {
				return best, err
			}
			saved = time.Now()
		}
		// A judgement is taken at the same sweep whatever the speed of a machine.
		switch at := s.sweeps; {
		case p.n <= small && at > pace && at%pace == 0:
			take(judge(s.iterate()))
		case p.n > small && at%beside == 0:
			if judging {
				take(<-judged)
			}
			if !close() {
				judging = true
				it := s.iterate().clone()
				wait.Go(func() { judged <- judge(it) })
			}
		}
	}
	best.stopped = time.Now()
	if judging {
		take(<-judged)
	}
	if !close() && p.ctx.Err() == nil {
		take(judge(s.iterate()))
	}
	if err := p.ctx.Err(); err != nil { // the judgements were not finished
		return best, err
	}
	best.late = !e.until.IsZero() && !close()
	best.sweeps, best.at = s.sweeps, s.iterate().clone()
	if e.save != nil {
		return best, e.save(best.sweeps, best.bound, best.at)
	}
	return best, nil
}
