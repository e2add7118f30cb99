// Package multiples adds multiples of rows of float64 to others. Each product is rounded
// before it is added, so every implementation gives the same bits.
package multiples

// addGo adds by row[i] to dst[i].
func addGo(dst []float64, by float64, row []float64) {
	row = row[:len(dst)]
	for i := range dst {
		dst[i] += float64(by * row[i])
	}
}
