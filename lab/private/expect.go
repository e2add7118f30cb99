package private

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Expect returns, for each input of a channel, the mean of the values of its
// output: values are by output, each a vector of one length. The least weight of a
// row is taken out of it, so that a row of two levels costs no more than its set.
func Expect(c mechanism.Channel, values [][]float64) [][]float64 {
	width := len(values[0])
	sum := make([]float64, width)
	for _, v := range values {
		for k, a := range v {
			sum[k] += a
		}
	}
	means := make([][]float64, len(values))
	var row []uint64
	for x := range means {
		row = c.Weights(row[:0], embedding.ID(x))
		least := row[0]
		for _, w := range row {
			least = min(least, w)
		}
		mean := make([]float64, width)
		for k, a := range sum {
			mean[k] = float64(least) * a
		}
		total := float64(least) * float64(len(row))
		for y, w := range row {
			if w == least {
				continue
			}
			lift := float64(w - least)
			total += lift
			for k, a := range values[y] {
				mean[k] += lift * a
			}
		}
		for k := range mean {
			mean[k] /= total
		}
		means[x] = mean
	}
	return means
}
