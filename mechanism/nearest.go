package mechanism

import (
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// nearest writes, for each row of queries, the table's nearest word: exact, a
// tie goes to the lowest number.
func nearest(table *embedding.Table, dst []embedding.ID, queries []float32) {
	nearestTwo(table, queries, func(i int, first, _ embedding.ID, _, _ float64) { dst[i] = first })
}

// nearestTwo calls found for each row of queries with its nearest and second
// nearest words and their distances. A table of one word is its own second.
func nearestTwo(table *embedding.Table, queries []float32, found func(i int, first, second embedding.ID, d1, d2 float64)) {
	type two struct {
		first, second embedding.ID
		q1, q2        float64
	}
	dim := table.Dim()
	best := make([]two, len(queries)/dim)
	for i := range best {
		best[i] = two{q1: math.Inf(1), q2: math.Inf(1)}
	}
	var word []float32
	for y := range table.Len() {
		word = table.Vector(word[:0], embedding.ID(y))
		for i := range best {
			q := 0.0
			for k, v := range queries[i*dim : (i+1)*dim] {
				e := float64(v) - float64(word[k])
				q += e * e
			}
			b := &best[i]
			switch {
			case q < b.q1:
				*b = two{embedding.ID(y), b.first, q, b.q1}
			case q < b.q2:
				b.second, b.q2 = embedding.ID(y), q
			}
		}
	}
	for i, b := range best {
		if math.IsInf(b.q2, 1) {
			b.second, b.q2 = b.first, b.q1
		}
		found(i, b.first, b.second, math.Sqrt(b.q1), math.Sqrt(b.q2))
	}
}
