package hamming

import (
	"math"
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

// group is the number of blocks that are compared at once where a code has 4 words.
const group = 4

// nearest is nearestGo for the codes of blocks, one block at least.
func nearest(code, blocks []uint64, n int) uint64 {
	least := ^uint64(0)
	wide := counts && simd.Have(simd.VNNI)
	if groups := n / group; wide && len(code) == 4 && groups > 0 {
		var best [group * lanes]uint16
		nearest4AVX512(&best[0], &code[0], &blocks[0], groups)
		var keys [group]uint32 // differ<<16 + at, which fits: there are at most 128 groups of 32
		for i := range keys {
			keys[i] = math.MaxUint32
		}
		for code := range lanes { // several at once, for those that wait for each other
			for b, v := range (*[group]uint16)(best[code*group:]) {
				keys[b] = min(keys[b], uint32(v>>7)<<16|uint32(v&127)<<5|uint32(b*lanes+code))
			}
		}
		key := slices.Min(keys[:])
		least = uint64(key>>16)<<32 | uint64(key&0xffff)
		done := groups * group
		if n -= done; n == 0 {
			return least
		}
		return min(least, some(code, blocks[done*lanes*4:], n, wide)+uint64(done*lanes))
	}
	return some(code, blocks, n, wide)
}

// some is nearest without groups.
func some(code, blocks []uint64, n int, wide bool) uint64 {
	var best [lanes]uint64
	if wide {
		nearestAVX512(&best[0], &code[0], &blocks[0], n, len(code))
	} else {
		nearestAVX2(&best[0], &code[0], &blocks[0], n, len(code))
	}
	return slices.Min(best[:])
}
