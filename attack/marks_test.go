package attack

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/typed"
)

// By hand: with all of M values as candidates and sets of one, the best guess is the output,
// which is right with probability e^epsilon/(e^epsilon + M - 1). At epsilon 0 nothing is
// better than the likeliest value. Draws agree: 20,000 guesses are right as often within 6
// standard deviations, which fails with a chance below 2e-9.
func TestNamedIsTheChanceOfTheBestGuess(t *testing.T) {
	entry, _ := catalog.Default(mechanism.UseMarks, "")
	open := func(name string, epsilon float64) (mechanism.Retriever, *typed.Codebook) {
		c, _ := typed.Embedded(name)
		r, err := entry.NewRetriever(t.Context(), c, mechanism.Spec{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		return r, c
	}
	for _, epsilon := range []float64{0, 2, 6} {
		r, c := open("family", epsilon)
		var vectors []int8
		uniform, zipf := make([]float64, c.Len()), make([]float64, c.Len())
		sum := 0.0
		for i := range c.Len() {
			vectors = c.Vector(vectors, i)
			uniform[i], zipf[i] = 1/float64(c.Len()), 1/float64(i+1)
			sum += zipf[i]
		}
		for i := range zipf {
			zipf[i] /= sum
		}
		got, err := Named(t.Context(), r, vectors, uniform)
		if want := math.Exp(epsilon) / (math.Exp(epsilon) + float64(c.Len()-1)); err != nil || math.Abs(got-want) > 1e-9 {
			t.Errorf("epsilon %g: %g, must be %g (%v)", epsilon, got, want, err)
		}
		got, err = Named(t.Context(), r, vectors, zipf)
		if err != nil || epsilon == 0 && math.Abs(got-zipf[0]) > 1e-9 || got < zipf[0]-1e-12 {
			t.Errorf("epsilon %g: %g of Zipf's values, at least %g (%v)", epsilon, got, zipf[0], err)
		}
		const draws = 20_000
		rng := rand.New(noise.Seeded(5, uint64(epsilon)))
		right := 0
		levels := r.Levels()
		for range draws {
			x, u := 0, rng.Float64()
			for u -= zipf[0]; u > 0 && x+1 < len(zipf); u -= zipf[x] {
				x++
			}
			out, err := r.Draw(t.Context(), nil, vectors[4*x:4*x+4], func(int) rand.Source { return rng })
			if err != nil {
				t.Fatal(err)
			}
			guess := int(out[0])
			if zipf[guess]*levels.Inside < zipf[0]*levels.Outside {
				guess = 0
			}
			if guess == x {
				right++
			}
		}
		if deviation := math.Sqrt(draws * got * (1 - got)); math.Abs(float64(right)-draws*got) > 6*deviation {
			t.Errorf("epsilon %g: %d of %d guesses are right, %.0f are expected", epsilon, right, draws, draws*got)
		}
	}
}
