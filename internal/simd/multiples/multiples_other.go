//go:build !amd64

package multiples

// Add adds by row[i] to dst[i]. The row is no shorter.
func Add(dst []float64, by float64, row []float64) { addGo(dst, by, row) }
