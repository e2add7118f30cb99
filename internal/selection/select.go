// Package selection finds the k-th smallest of a list without sorting it.
package selection

import "cmp"

// Select returns the k-th smallest value, k from 1, and reorders v so that the k smallest
// come first (Hoare's selection). No value may be NaN.
func Select[T cmp.Ordered](v []T, k int) T {
	lo, hi := 0, len(v)-1
	for lo < hi {
		pivot := v[lo+(hi-lo)/2]
		i, j := lo, hi
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
