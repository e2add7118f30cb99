// Package zipf estimates the frequencies of the words of a list from their ranks alone.
package zipf

// Shares returns the share of each of n words, the most frequent first, by Zipf's law
// with Mandelbrot's shift.
func Shares(n int) []float64 {
	const shift = 2.7
	total := 0.0
	for rank := range n {
		total += 1 / (float64(rank) + shift)
	}
	shares := make([]float64, n)
	for rank := range shares {
		shares[rank] = 1 / (float64(rank) + shift) / total
	}
	return shares
}
