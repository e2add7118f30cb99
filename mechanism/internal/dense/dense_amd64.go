package dense

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func dotPositiveAVX2(k, v *float32, n int) float32

//go:noescape
func axpyAVX2(v *float32, alpha float32, k *float32, n int)

//go:noescape
func maxDifferenceAVX2(a, b *float32, r float32, n int) float32

//go:noescape
func minRatioAVX2(v, k *float32, n int) float32

// DotPositive is the sum of k[i] max(0, v[i]).
func DotPositive(k, v []float32) float32 {
	n := len(k) &^ 31
	v = v[:len(k)]
	if !fast || n == 0 {
		return dotPositive(k, v)
	}
	return dotPositiveAVX2(&k[0], &v[0], n) + dotPositive(k[n:], v[n:])
}

// Axpy adds alpha k[i] to v[i].
func Axpy(v []float32, alpha float32, k []float32) {
	n := len(v) &^ 31
	k = k[:len(v)]
	if !fast || n == 0 {
		axpy(v, alpha, k)
		return
	}
	axpyAVX2(&v[0], alpha, &k[0], n)
	axpy(v[n:], alpha, k[n:])
}

// MaxDifference is the largest r a[i] - b[i]; the rows are not empty.
func MaxDifference(a, b []float32, r float32) float32 {
	n := len(a) &^ 31
	b = b[:len(a)]
	if !fast || n == 0 {
		return maxDifference(a, b, r)
	}
	m := maxDifferenceAVX2(&a[0], &b[0], r, n)
	if n < len(a) {
		m = max(m, maxDifference(a[n:], b[n:], r))
	}
	return m
}

// MinRatio is the smallest v[i]/k[i]; the rows are not empty.
func MinRatio(v, k []float32) float32 {
	n := len(v) &^ 31
	k = k[:len(v)]
	if !fast || n == 0 {
		return minRatio(v, k)
	}
	m := minRatioAVX2(&v[0], &k[0], n)
	if n < len(v) {
		m = min(m, minRatio(v[n:], k[n:]))
	}
	return m
}
