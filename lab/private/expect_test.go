package private

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// The mean over all outputs, one by one.
func TestExpectIsTheMeanOverTheRow(t *testing.T) {
	const n = 90
	words := table(t, n)
	values := make([][]float64, n)
	for y := range values {
		values[y] = []float64{float64(y), math.Sin(float64(y))}
	}
	var o Opener
	for _, name := range []string{"response", "neighbours k=7 outputs=40", "exponential", "balanced"} {
		m, err := o.Open(words, Setting{name, 2})
		if err != nil {
			t.Fatal(err)
		}
		c := m.Mechanism.(mechanism.Channel)
		for x, got := range Expect(c, values) {
			row, total := c.Weights(nil, embedding.ID(x)), 0.0
			want := []float64{0, 0}
			for y, w := range row {
				total += float64(w)
				want[0] += float64(w) * values[y][0]
				want[1] += float64(w) * values[y][1]
			}
			for k := range want {
				if math.Abs(got[k]-want[k]/total) > 1e-9*n {
					t.Fatalf("%s: component %d of word %d is %g, want %g", name, k, x, got[k], want[k]/total)
				}
			}
		}
	}
}

func TestAtPureFindsTheParameterOfALoss(t *testing.T) {
	var o Opener
	words := table(t, 150)
	for _, epsilon := range []float64{0.5, 3, 9} {
		m, err := o.AtPure(words, "exponential", epsilon)
		if err != nil {
			t.Fatal(err)
		}
		if high := m.Evidence.Certificate.PureEpsilon.High; high > epsilon || high < 0.99*epsilon {
			t.Errorf("asked for %g, the loss is %g", epsilon, high)
		}
	}
	if _, err := o.AtPure(words, "madlib", 2); err == nil {
		t.Error("madlib is no channel, and is opened at a word-level loss")
	}
}
