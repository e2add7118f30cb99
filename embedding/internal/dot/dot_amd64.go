package dot

import "golang.org/x/sys/cpu"

// vector tells whether the AVX2 kernels are used; tests switch it off.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// vnni tells whether the AVX-512 VNNI kernel is used; tests switch it off.
var vnni = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI

//go:noescape
func squares8VNNI(dst *uint32, x *int8, y *uint8, ny, cx *int32, blocks, quads, width int)

//go:noescape
func int8x4AVX2(dst *int32, x *int16, y *int8, n, stride int)

//go:noescape
func int8x1AVX2(x, y *int8, stride int) int32

// Int8x4 computes four rows of x against n rows of y: see int8x4.
func Int8x4(dst []int32, x []int16, y []int8, n, stride int) {
	if !vector || n == 0 {
		int8x4(dst, x, y, n, stride)
		return
	}
	_, _, _ = dst[4*n-1], x[4*stride-1], y[n*stride-1]
	int8x4AVX2(&dst[0], &x[0], &y[0], n, stride)
}

// Int8 is the inner product of two padded rows of equal length.
func Int8(x, y []int8) int32 {
	if !vector || len(x) == 0 {
		return int8x1(x, y)
	}
	_ = y[len(x)-1]
	return int8x1AVX2(&x[0], &y[0], len(x))
}

// FastBlocks tells whether Blocks has a vector kernel here.
func FastBlocks() bool { return vnni }

func squares8(dst []uint32, x []int8, y []uint8, norms, bias []int32, blocks, quads, width int) {
	if !vnni || blocks == 0 {
		squares8Go(dst, x, y, norms, bias, blocks, quads, width)
		return
	}
	_, _, _, _, _ = dst[(Group-1)*width+blocks*Block-1], x[Group*quads*4-1], y[blocks*quads*4*Block-1], norms[blocks*Block-1], bias[Group-1]
	squares8VNNI(&dst[0], &x[0], &y[0], &norms[0], &bias[0], blocks, quads, width)
}
