package dot

import "golang.org/x/sys/cpu"

// vector tells whether the AVX2 kernels are used; tests switch it off.
var vector = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func int8x4AVX2(dst *int32, x *int16, y *int8, n, stride int)

//go:noescape
func int8x1AVX2(x, y *int8, stride int) int32

//go:noescape
func float64x4AVX2(dst *float64, x *float64, y *float32, n, stride int)

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

// Float64x4 computes four rows of x against n rows of y: see float64x4.
func Float64x4(dst []float64, x []float64, y []float32, n, stride int) {
	if !vector || n == 0 {
		float64x4(dst, x, y, n, stride)
		return
	}
	_, _, _ = dst[4*n-1], x[4*stride-1], y[n*stride-1]
	float64x4AVX2(&dst[0], &x[0], &y[0], n, stride)
}
