package model

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
)

// Averages are the mean vectors of texts; a text without words is 0.
func Averages(table *embedding.Table, c dataset.Corpus) [][]float64 {
	rows := make([][]float64, c.Len())
	var v []float32
	for i := range rows {
		rows[i] = make([]float64, table.Dim())
		text := c.Text(i)
		for _, x := range text {
			v = table.Vector(v[:0], x)
			for k, a := range v {
				rows[i][k] += float64(a) / float64(len(text))
			}
		}
	}
	return rows
}
