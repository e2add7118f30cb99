package metric

import (
	"maps"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

// RougeL returns the F measure of ROUGE-L: the harmonic mean of the shares of reference and
// candidate that are in their longest common subsequence (Lin 2004). It is at most Rouge1.
func RougeL(reference, candidate []embedding.ID) float64 {
	if len(reference)+len(candidate) == 0 {
		return 1
	}
	longest := make([]int, len(candidate)+1) // of the reference so far and each prefix
	for _, x := range reference {
		before := 0
		for j, y := range candidate {
			here := longest[j+1]
			if x == y {
				longest[j+1] = before + 1
			} else {
				longest[j+1] = max(here, longest[j])
			}
			before = here
		}
	}
	return 2 * float64(longest[len(candidate)]) / float64(len(reference)+len(candidate))
}

// BestRouge1 returns the largest mean Rouge1 that one fixed answer has over some references,
// exactly: for each length of the answer, copies of words count independently.
func BestRouge1(references [][]embedding.ID) float64 {
	type copies struct {
		word   embedding.ID
		number int
	}
	held := make([]map[copies]bool, len(references))
	for i, r := range references {
		held[i] = map[copies]bool{}
		seen := map[embedding.ID]int{}
		for _, w := range r {
			seen[w]++
			held[i][copies{w, seen[w]}] = true
		}
	}
	best := 0.0
	for length := 1; ; length++ {
		most := 0.0 // with every word of each reference
		for _, r := range references {
			most += 2 * float64(len(r)) / float64(len(r)+length) / float64(len(references))
		}
		if most <= best {
			return best // longer answers have less
		}
		gains := map[copies]float64{}
		for i, r := range references {
			for c := range held[i] {
				gains[c] += 2 / float64(len(r)+length)
			}
		}
		best = max(best, sumOfLargest(gains, length)/float64(len(references)))
	}
}

// sumOfLargest returns the sum of the n largest values.
func sumOfLargest[K comparable](values map[K]float64, n int) (sum float64) {
	list := slices.Sorted(maps.Values(values))
	for _, v := range list[max(0, len(list)-n):] {
		sum += v
	}
	return sum
}
