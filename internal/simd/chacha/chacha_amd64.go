package chacha

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./chacha -out ../chacha/chacha_amd64.s -stubs ../chacha/stubs_amd64.go -pkg chacha

// Fast reports whether there is a kernel.
func Fast() bool { return simd.Have(simd.AVX512) }

// fill is Fill; it returns false, and writes nothing, without a kernel.
func fill(dst *[Words]uint64, key *[4]uint64) bool {
	if !Fast() {
		return false
	}
	fillAVX512(dst, key)
	return true
}
