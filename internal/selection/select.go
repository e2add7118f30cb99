// Package selection finds the k-th smallest of a list without sorting it.
package selection

import "cmp"

// Select returns the k-th smallest value, k from 1, and reorders v so that the k smallest
// come first (Hoare's selection). No value may be NaN.
func Select[T cmp.Ordered](v []T, k int) T {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := v[lo+(hi-lo)/2]
		i, j := swapBlocks(v, lo, hi, pivot)
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch at := k - 1; {
		case at <= j:
			hi = j
		case at >= i:
			lo = i
		default:
			return v[at]
		}
	}
	return v[lo]
}

// Values are compared by blocks while at least blocks of these are left: of fewer it takes longer.
const (
	block  = 64
	blocks = 8
)

// swapBlocks begins to part v[lo] to v[hi], by blocks at both ends, and returns the ends of what
// is left. It swaps what Select would swap, but no branch depends on a value: those of a long list
// cannot be foretold.
func swapBlocks[T cmp.Ordered](v []T, lo, hi int, pivot T) (i, j int) {
	i, j = lo, hi
	var left, right [block]uint8 // offsets from i up, and from j down
	for j-i >= blocks*block {
		lefts, rights := 0, 0
		up, down := v[i:i+block], v[j-block+1:j+1]
		for k := range block {
			left[lefts&(block-1)] = uint8(k)
			lefts += bit(!(up[k] < pivot))
			right[rights&(block-1)] = uint8(k)
			rights += bit(!(down[block-1-k] > pivot))
		}
		n := min(lefts, rights)
		for k := range n {
			a, b := left[k], block-1-right[k]
			up[a], down[b] = down[b], up[a]
		}
		// The rest of a block begins after the last swap, or where the next one of it is.
		if lefts == n {
			i += block
		} else {
			i += int(left[n])
		}
		if rights == n {
			j -= block
		} else {
			j -= int(right[n])
		}
	}
	return i, j
}

func bit(set bool) int {
	if set {
		return 1
	}
	return 0
}
