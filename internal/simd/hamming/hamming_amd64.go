package hamming

import (
	"slices"

	"golang.org/x/sys/cpu"

	"github.com/sotto-dp/sotto/internal/simd"
)

//go:generate go -C ../assembly run ./hamming -out ../hamming/hamming_amd64.s -stubs ../hamming/stubs_amd64.go -pkg hamming

// counts reports whether the machine counts the bits of vectors. It is no level of its own:
// without it this kernel alone is that of AVX2.
var counts = cpu.X86.HasAVX512VPOPCNTDQ

// haveKernel reports whether blocks are read.
func haveKernel() bool { return simd.Have(simd.AVX2) }

// nearest is nearestGo for the codes of blocks, one block at least.
func nearest(code, blocks []uint64, n int) uint64 {
	var best [lanes]uint64
	switch wide := counts && simd.Have(simd.VNNI); {
	case wide && len(code) == 4:
		nearest4AVX512(&best[0], &code[0], &blocks[0], n)
	case wide:
		nearestAVX512(&best[0], &code[0], &blocks[0], n, len(code))
	default:
		nearestAVX2(&best[0], &code[0], &blocks[0], n, len(code))
	}
	return slices.Min(best[:])
}
