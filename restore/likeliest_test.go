package restore

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

// The likeliest inputs are those at the front of a sorted list. The others are added up, in
// another order.
func TestLikeliestInputsAreThoseOfASortedList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, values := range []int{1, 2, 3, 50, 1 << 40} { // few: most are equally likely
		chances := make([]float64, 6000)
		var listed []embedding.ID
		for x := range chances {
			if chances[x] = float64(1+r.IntN(values)) / 3e12; r.IntN(10) > 0 {
				listed = append(listed, embedding.ID(x))
			}
		}
		sorted := slices.Clone(listed)
		slices.SortFunc(sorted, func(a, b embedding.ID) int {
			return cmp.Or(cmp.Compare(chances[b], chances[a]), cmp.Compare(a, b))
		})
		want, sum := sorted[:mostListed], 0.0
		for _, x := range sorted[mostListed:] {
			sum += chances[x]
		}
		slices.Sort(want)
		got, rest := (&columnMaker{listed: slices.Clone(listed)}).likeliestOf(chances)
		if !slices.Equal(got, want) || math.Abs(rest-sum) > 1e-12*sum {
			t.Errorf("%d values: %d inputs and a rest of %v, want %d and %v", values, len(got), rest, len(want), sum)
		}
	}
}
