package catalog

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

// P(x|x) = e^epsilon/(e^epsilon + n - 1), every other word has the rest in equal
// parts (Warner 1965, k-ary form).
func TestResponseKeepsAWordWithItsChance(t *testing.T) {
	const n = 50
	table := oracle.RandomTable(t, n, 3)
	for _, epsilon := range []float64{0.1, 1, 4, 9} {
		m := oracle.MustOpen(t, responseEntry, table, epsilon, nil).(mechanism.Channel)
		for x := range embedding.ID(n) {
			row := m.Weights(nil, x)
			sum := 0.0
			for _, w := range row {
				sum += float64(w)
			}
			for y, w := range row {
				want := 1 / (math.Exp(epsilon) + n - 1)
				if y == int(x) {
					want *= math.Exp(epsilon)
				}
				// Weights are whole numbers of 2^32 and more: floors cost less than 2^-30.
				if got := float64(w) / sum; math.Abs(got-want) > 1e-8*want {
					t.Fatalf("epsilon %g: P(%d|%d) is %.12g, want %.12g", epsilon, y, x, got, want)
				}
			}
		}
	}
}
