package sets

import (
	"context"
	"math"

	"github.com/sotto-dp/sotto/mechanism/internal/shipped"
)

// Choose returns k for epsilon from public data. A draw is uniform over the set
// with probability pin = k (e^epsilon - 1)/Z, and uniform over the outputs
// otherwise.
//
//   - signal, and the default: the largest pin times the distance from the mean of the
//     outputs to the mean of the set. This is how far the input moves the mean vector of
//     the output.
//   - readable: the largest expected reciprocal rank of the output among the
//     outputs as the rule orders them for the input, the first with rank 1; at
//     least 2 if there are more than two outputs, so that no output has a chance
//     above 1/2.
//   - distance: the least expected distance from input to output.
func (r *Nearest) Choose(ctx context.Context, objective string, epsilon float64) (int, error) {
	if objective == "readable" {
		return max(mostReadable(r.Len(), epsilon), min(2, r.Len()-1)), nil
	}
	curve, ok := []shipped.Point(nil), false
	if r.outputs == nil && r.Similar == nil && r.class == nil {
		curve, ok = shipped.Curve(r.Table)
	}
	if !ok {
		var err error
		if curve, err = r.curve(ctx, objective != "distance"); err != nil {
			return 0, err
		}
	}
	if objective != "distance" {
		return mostSignal(curve, r.Len(), epsilon), nil
	}
	k, _ := leastDistance(curve, r.Len(), epsilon)
	return k, nil
}

// pinned returns the probability of a draw from a set of k among m outputs.
func pinned(k, m int, epsilon float64) float64 {
	return 1 / (1 + float64(m)/(float64(k)*math.Expm1(epsilon)))
}

func leastDistance(curve []shipped.Point, m int, epsilon float64) (k int, distance float64) {
	all := curve[len(curve)-1].Mean
	k, distance = 1, math.Inf(1)
	for _, p := range curve {
		pin := pinned(p.K, m, epsilon)
		if e := float64(pin*p.Mean) + float64((1-pin)*all); e < distance {
			k, distance = p.K, e
		}
	}
	return k, distance
}

func mostSignal(curve []shipped.Point, m int, epsilon float64) int {
	k, most := 1, 0.0
	for _, p := range curve {
		if v := pinned(p.K, m, epsilon) * p.Signal; v > most {
			k, most = p.K, v
		}
	}
	return k
}

// mostReadable maximises (H_k (e^epsilon - 1) + H_m)/Z over k, H_k = 1 + 1/2 + ... + 1/k.
func mostReadable(m int, epsilon float64) int {
	all := 0.0
	for i := m; i >= 1; i-- {
		all += 1 / float64(i)
	}
	best, at, h := 0.0, 1, 0.0
	for k := 1; k <= m; k++ {
		h += 1 / float64(k)
		// Divided by e^epsilon - 1, which may overflow.
		far := 1 / math.Expm1(epsilon)
		if value := (h + float64(all*far)) / (float64(k) + float64(float64(m)*far)); value > best {
			best, at = value, k
		}
	}
	return at
}

// LeastSize returns the smallest k at which the best guess of one of n equally
// likely words from one of m outputs succeeds with probability (m/n) e^epsilon/Z of
// at most attack, which must be at least 1/n.
func LeastSize(n, m int, epsilon, attack float64) int {
	guess := func(k int) float64 {
		return float64(m) / float64(n) / (float64(k) + float64(float64(m-k)*math.Exp(-epsilon)))
	}
	low, high := 0, m // guess(high) is at most the cap, up to rounding
	for high-low > 1 {
		if mid := (low + high) / 2; guess(mid) <= attack {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
