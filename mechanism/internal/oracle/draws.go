package oracle

import (
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"gonum.org/v1/gonum/stat/distuv"
)

// ChiSquare compares counts of draws with the exact row. It joins outputs of
// expected count below 10 into one class and returns the p-value of Pearson's
// statistic (0 where an impossible output was drawn).
func ChiSquare(counts []int, weights []uint64, draws int) float64 {
	total := 0.0
	for _, w := range weights {
		total += float64(w)
	}
	statistic, classes := 0.0, 0
	restCount, restExpected := 0.0, 0.0
	for y, w := range weights {
		expected := float64(w) / total * float64(draws)
		if w == 0 && counts[y] > 0 {
			return 0
		}
		if expected < 10 {
			restCount, restExpected = restCount+float64(counts[y]), restExpected+expected
			continue
		}
		d := float64(counts[y]) - expected
		statistic, classes = statistic+d*d/expected, classes+1
	}
	if restExpected >= 10 {
		d := restCount - restExpected
		statistic, classes = statistic+d*d/restExpected, classes+1
	} else if restExpected < 1e-3 && restCount > 2 {
		return 0
	}
	return distuv.ChiSquared{K: float64(max(1, classes-1))}.Survival(statistic)
}

// DrawCounts draws n replacements of one input by replace.
func DrawCounts(t testing.TB, words, n int, x embedding.ID, replace func(dst, src []embedding.ID) []embedding.ID) []int {
	t.Helper()
	counts := make([]int, words)
	src := slices.Repeat([]embedding.ID{x}, 1000)
	var dst []embedding.ID
	for done := 0; done < n; done += len(src) {
		dst = replace(dst[:0], src)
		for _, y := range dst {
			counts[y]++
		}
	}
	return counts
}

// Each case is one Pearson test on 200,000 draws from a fixed seed. A correct
// sampler fails it for a fraction 1e-7 of seeds; with 2 inputs for each of 11
// members, drawn in 3 ways, a fresh seed would fail somewhere with chance below
// 7e-6.
const FalseFailure = 1e-7
