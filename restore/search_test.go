package restore

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// Wherever the worst of the best candidates is expected, the same ones are found, in the same
// order. Some columns give many the same score.
func TestCandidatesDoNotDependOnWhatIsExpected(t *testing.T) {
	const words = 300
	rng := rand.New(rand.NewPCG(5, 7))
	m := randomModel(t, rng, words, words/2)
	equal := 0
	for round := range 100 {
		d, err := NewDecoder(m, NewChannel(nil, words), Options{Beam: []int{10, 1}[round%2]})
		if err != nil {
			t.Fatal(err)
		}
		c := randomColumn(rng, words, round)
		d.front, d.rest = randomFront(m, rng, words), -1
		if round%4 == 1 { // words that are equally likely, since no text has them
			c = &column{base: math.Inf(-1), level: math.Log(0.5)}
			for w := words / 2; w < words-rng.IntN(50); w++ {
				c.listed = append(c.listed, embedding.ID(w))
			}
			d.front = []hypothesis{{m.Empty(), -1}, {m.Empty(), 0}} // so some are left out again
			c.count = len(c.listed)
			c.rank()
		}
		v := d.newView(c)
		var want []candidate
		for _, spread := range []float64{math.Inf(1), 1000, 20, 5, 2, 0, -2, -8, -1000} {
			d.spread = spread
			d.search(v)
			if want == nil {
				want = slices.Clone(d.found.all)
			}
			if !slices.Equal(d.found.all, want) {
				t.Fatalf("round %d: expected %v below the top, %d candidates are found, want %d", round, spread, len(d.found.all), len(want))
			}
		}
		if d.found.equal {
			equal++
		}
	}
	if equal == 0 {
		t.Error("no position has many equal candidates: the test shows less than it should")
	}
}
