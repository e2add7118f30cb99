// Package within finds the elements of a row that are at most a limit, as a bitmap.
// It only compares, so every implementation gives the same bits.
package within

import "math/bits"

// Mark sets bit i%64 of dst[i/64] if row[i] <= limit, clears the other bits of the
// first (len(row)+63)/64 elements of dst, and returns the number of bits set. No
// element of row is NaN.
func Mark[T uint32 | float64](dst []uint64, row []T, limit T) (count int) {
	dst = dst[:(len(row)+63)/64]
	done := mark(dst, row, limit)
	markGo(dst[done/64:], row[done:], limit)
	for _, word := range dst {
		count += bits.OnesCount64(word)
	}
	return count
}

// markGo is Mark without the count.
func markGo[T uint32 | float64](dst []uint64, row []T, limit T) {
	for i := range dst {
		word := uint64(0)
		for j, v := range row[64*i : min(64*i+64, len(row))] {
			bit := uint64(0)
			if v <= limit {
				bit = 1
			}
			word |= bit << (j & 63)
		}
		dst[i] = word
	}
}

// Append appends the numbers of the bits that are set in a bitmap, ascending.
func Append[T uint16 | uint32](dst []T, bitmap []uint64) []T {
	for i, word := range bitmap {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, T(64*i+bits.TrailingZeros64(word)))
		}
	}
	return dst
}
