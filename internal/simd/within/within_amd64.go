package within

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./within -out ../within/within_amd64.s -stubs ../within/stubs_amd64.go -pkg within

// mark handles the elements at the front that fill whole words of dst, and returns
// their number.
func mark[T uint32 | float64](dst []uint64, row []T, limit T) (done int) {
	words := len(row) / 64
	if words == 0 || !simd.Have(simd.AVX2) {
		return 0
	}
	wide := simd.Have(simd.AVX512)
	switch row := any(row).(type) {
	case []uint32:
		if limit := uint32(limit); wide {
			markUint32AVX512(&dst[0], &row[0], limit, words)
		} else {
			markUint32AVX2(&dst[0], &row[0], limit, words)
		}
	case []float64:
		if limit := float64(limit); wide {
			markFloat64AVX512(&dst[0], &row[0], limit, words)
		} else {
			markFloat64AVX2(&dst[0], &row[0], limit, words)
		}
	}
	return 64 * words
}
