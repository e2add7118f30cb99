package noise

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/internal/refdata"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/testseed"
)

// The chance of a false failure is falseFailure for each row.
func TestSamplersOfAnyScaleHaveTheirProbabilities(t *testing.T) {
	stage.Unraced(t)
	const n = 200_000
	laplace := func(rate float64) func(int64) float64 {
		r := math.Exp(-rate)
		return func(k int64) float64 { return (1 - r) / (1 + r) * math.Pow(r, math.Abs(float64(k))) }
	}
	gaussian := func(variance float64) func(int64) float64 {
		total := 0.0
		for k := -4000.0; k <= 4000; k++ {
			total += math.Exp(-k * k / (2 * variance))
		}
		return func(k int64) float64 { return math.Exp(-float64(k)*float64(k)/(2*variance)) / total }
	}
	for i, c := range []struct {
		name        string
		draw        func(rand.Source) int64
		probability func(int64) float64
		right       bool
	}{
		{"rate 3/10", NewLaplace(3, 10).Draw, laplace(0.3), true},
		{"rate 1/50", NewLaplace(1, 50).Draw, laplace(0.02), true},
		{"rate 7/2", NewLaplace(7, 2).Draw, laplace(3.5), true},
		{"large terms", NewLaplace(3<<50, 10<<50).Draw, laplace(0.3), true},
		{"of a nearby rate", NewLaplace(31, 100).Draw, laplace(0.3), false},
		{"Gaussian of variance 1", NewGaussian(1).Draw, gaussian(1), true},
		{"Gaussian of variance 90", NewGaussian(90).Draw, gaussian(90), true},
		{"Gaussian of variance 20,000", NewGaussian(20_000).Draw, gaussian(20_000), true},
		{"Gaussian of a nearby variance", NewGaussian(94).Draw, gaussian(90), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := Seeded(testseed.Of(t, 14), uint64(i))
			draws := make([]int64, n)
			for i := range draws {
				draws[i] = c.draw(src)
			}
			if right := matches(draws, c.probability); right != c.right {
				t.Errorf("the probabilities hold: %v, want %v", right, c.right)
			}
		})
	}
}

// The sampler against probabilities that another program computed.
func TestDiscreteLaplaceIsThatOfTheOracle(t *testing.T) {
	stage.Unraced(t)
	data, err := os.ReadFile(refdata.Path(t, "oracles/units.json"))
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Laplace []struct {
			Scale    float64   `json:"scale"`
			PMF      []float64 `json:"pmf"`
			Variance float64   `json:"variance"`
		} `json:"discrete_laplace"`
	}
	if err := json.Unmarshal(data, &oracle); err != nil || len(oracle.Laplace) < 3 {
		t.Fatalf("%d rows, %v", len(oracle.Laplace), err)
	}
	const n = 400_000
	for i, row := range oracle.Laplace {
		laplace := NewLaplace(1<<20, uint64(row.Scale*(1<<20)))
		src := Seeded(testseed.Of(t, 15), uint64(i))
		counts := map[int64]float64{}
		for range n {
			counts[laplace.Draw(src)]++
		}
		for k, p := range row.PMF {
			// Six standard deviations of a binomial count: chance 2e-9 each.
			for _, k := range []int64{int64(k), -int64(k)} {
				if d := math.Abs(counts[k] - n*p); d > 6*math.Sqrt(n*p)+6 {
					t.Errorf("scale %g: %d was drawn %g times, expected %g", row.Scale, k, counts[k], n*p)
				}
			}
		}
	}
}
