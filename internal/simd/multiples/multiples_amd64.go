package multiples

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./multiples -out ../multiples/multiples_amd64.s -stubs ../multiples/stubs_amd64.go -pkg multiples

// sum adds to the first columns, and returns their number.
func sum(dst, by, rows []float64, which []uint32, stride int) int {
	n := len(dst)
	switch {
	case simd.Have(simd.AVX512):
		sumAVX512(&dst[0], &by[0], &rows[0], &which[0], len(by), n, stride)
	case simd.Have(simd.AVX2) && n >= 4:
		n &^= 3
		sumAVX2(&dst[0], &by[0], &rows[0], &which[0], len(by), n, stride)
	default:
		return 0
	}
	return n
}
