package rounding

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./rounding -out ../rounding/rounding_amd64.s -stubs ../rounding/stubs_amd64.go -pkg rounding

var avx2 = kernels{measureAVX2, roundAVX2}

func machine() *kernels {
	if simd.Have(simd.AVX2) {
		return &avx2
	}
	return &plain
}
