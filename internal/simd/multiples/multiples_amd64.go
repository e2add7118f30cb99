package multiples

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./multiples -out ../multiples/multiples_amd64.s -stubs ../multiples/stubs_amd64.go -pkg multiples

// Add adds by row[i] to dst[i]. The row is no shorter.
func Add(dst []float64, by float64, row []float64) {
	row = row[:len(dst)]
	n := 0
	if simd.Have(simd.AVX2) {
		n = len(dst) &^ 3
	}
	if n > 0 {
		addAVX2(&dst[0], by, &row[0], n)
	}
	addGo(dst[n:], by, row[n:])
}
