// Package oracle holds the tables, plain reference computations and tests of draws that the
// tests of the mechanisms share. Only tests import it.
package oracle

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// AllTriples returns the largest log ratio over all triples of a channel's weights,
// with and without division by the distance.
func AllTriples(c mechanism.Channel, table *embedding.Table) (metric, pure float64) {
	n := table.Len()
	rows := make([][]float64, n)
	for x := range n {
		total := 0.0
		weights := c.Weights(nil, embedding.ID(x))
		for _, w := range weights {
			total += float64(w)
		}
		for _, w := range weights {
			rows[x] = append(rows[x], math.Log(float64(w)/total))
		}
	}
	for x := range n {
		for z := range n {
			worst := 0.0
			for y := range n {
				if loss := rows[x][y] - rows[z][y]; !math.IsNaN(loss) { // no loss if neither word gives y
					worst = max(worst, loss)
				}
			}
			pure = max(pure, worst)
			if d := table.Distance(embedding.ID(x), embedding.ID(z)); d > 0 {
				metric = max(metric, worst/d)
			} else if worst > 1e-12 {
				metric = math.Inf(1)
			}
		}
	}
	return metric, pure
}

func MustOpen(t testing.TB, e mechanism.Entry, table *embedding.Table, epsilon float64, parameters mechanism.Values) mechanism.Mechanism {
	t.Helper()
	m, err := e.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon, Parameters: parameters})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// UseOf returns the unchanged rate and the expected distance, uniform over words.
func UseOf(c mechanism.Channel, table *embedding.Table) (kept, moved float64) {
	var row []uint64
	n := table.Len()
	q := make([]float64, n)
	for x := range n {
		row = c.Weights(row[:0], embedding.ID(x))
		table.SquaredDistances(q, []embedding.ID{embedding.ID(x)}, 0, n)
		total := 0.0
		for _, w := range row {
			total += float64(w)
		}
		kept += float64(row[x]) / total / float64(n)
		for y, w := range row {
			if w > 0 {
				moved += float64(w) / total * table.Distance(embedding.ID(x), embedding.ID(y)) / float64(n)
			}
		}
	}
	return kept, moved
}
