//go:build !amd64

package dense

// DotPositive is the sum of k[i] max(0, v[i]).
func DotPositive(k, v []float32) float32 { return dotPositive(k, v) }

// Axpy adds alpha k[i] to v[i].
func Axpy(v []float32, alpha float32, k []float32) { axpy(v, alpha, k) }

// MaxDifference is the largest r a[i] - b[i]; the rows are not empty.
func MaxDifference(a, b []float32, r float32) float32 { return maxDifference(a, b, r) }

// MinRatio is the smallest v[i]/k[i]; the rows are not empty.
func MinRatio(v, k []float32) float32 { return minRatio(v, k) }
