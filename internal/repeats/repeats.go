// Package repeats finds draws that repeat others. It is for tests of what draws without a
// seed, whose every run is another one: the chance of accusing independent draws is bounded.
package repeats

import (
	"fmt"
	"math"
)

// Chance bounds the probability that [Draws.Check] or [Agreement] accuses independent draws.
const Chance = 1e-9

// Draws are what came out for one input, in the order of the draws.
type Draws[T comparable] struct {
	Out []T
	// Agree is at least the probability that two independent draws are equal.
	Agree float64
	// Also are distances to check in addition to small ones: lengths of texts, batches and
	// calls. Few draws are checked at every distance.
	Also []int
}

const (
	everyLag = 8192 // up to this number of draws every distance is checked
	smallLag = 64
)

// lags are the distances to check, each once.
func (d Draws[T]) lags() []int {
	n := len(d.Out)
	most := n - 1
	if n > everyLag {
		most = smallLag
	}
	var all []int
	for lag := 1; lag <= most; lag++ {
		all = append(all, lag)
	}
	seen := map[int]bool{}
	for _, step := range d.Also {
		for lag := step; step > 0 && lag < n; lag += step {
			if lag > most && !seen[lag] {
				seen[lag] = true
				all = append(all, lag)
			}
		}
	}
	return all
}

// numbers returns the draws with a number for each value.
func (d Draws[T]) numbers() []int {
	of, out := map[T]int{}, make([]int, len(d.Out))
	for i, x := range d.Out {
		if _, ok := of[x]; !ok {
			of[x] = len(of)
		}
		out[i] = of[x]
	}
	return out
}

// Check returns an error if the draws at some distance are equal too often. The pairs at one
// distance fall into two families without a draw in common, of m independent pairs each. In
// one of them k > m Agree are equal with a chance of at most exp(-m KL(k/m, Agree))
// (Chernoff), and all families of all distances share [Chance].
func (d Draws[T]) Check() error {
	lags, out := d.lags(), d.numbers()
	enough := math.Log(float64(2*len(lags)) / Chance)
	strongest := 0
	for _, lag := range lags {
		var pairs, equal [2]int
		for i := 0; i+lag < len(out); i++ {
			family := i / lag % 2
			pairs[family]++
			if out[i] == out[i+lag] {
				equal[family]++
			}
		}
		for f, m := range pairs {
			strongest = max(strongest, m)
			if above(equal[f], m, d.Agree) >= enough {
				return fmt.Errorf("%d of %d draws equal the draw %d places on; independent ones do with a chance of at most %.3g", equal[f], m, lag, d.Agree)
			}
		}
	}
	if above(strongest, strongest, d.Agree) < enough {
		return fmt.Errorf("%d draws that agree with a chance of %.3g would show nothing", len(d.Out), d.Agree)
	}
	return nil
}

// Agreement returns a bound of the probability that two draws are equal, from two runs that
// are independent of each other. It is exceeded with a chance of at most [Chance].
func Agreement[T comparable](a, b []T) float64 {
	n, equal := min(len(a), len(b)), 0
	for i := range n {
		if a[i] == b[i] {
			equal++
		}
	}
	low, high := float64(equal)/float64(max(1, n)), 1.0
	for range 60 { // the smallest rate at which so few are as unlikely
		middle := (low + high) / 2
		if float64(n)*divergence(float64(equal)/float64(max(1, n)), middle) < -math.Log(Chance) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// above returns the negative logarithm of a bound on the chance of k or more among n.
func above(k, n int, p float64) float64 {
	share := float64(k) / float64(max(1, n))
	if n == 0 || share <= p {
		return 0
	}
	return float64(n) * divergence(share, p)
}

// divergence is the Kullback-Leibler divergence of two coins.
func divergence(a, b float64) float64 {
	term := func(x, y float64) float64 {
		if x == 0 {
			return 0
		}
		return x * math.Log(x/y)
	}
	return term(a, b) + term(1-a, 1-b)
}
