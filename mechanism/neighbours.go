package mechanism

import (
	"math"
	"sort"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

var neighboursEntry = Entry{
	Name:       "neighbours",
	Summary:    "a word becomes one of its k nearest words with a fixed high chance, any word otherwise",
	Paper:      "sotto; two-level generalisation of randomised response (Warner 1965; Kairouz et al. 2014)",
	Notion:     privacy.Pure,
	Standing:   privacy.Proved,
	Parameters: []Parameter{{"neighbours", "least expected distance", "a whole number from 1 to the number of words"}},
	New:        newNeighbours,
}

var responseEntry = Entry{
	Name:     "response",
	Summary:  "randomised response: the word itself with a fixed chance, any word otherwise",
	Paper:    "Warner 1965; Kairouz, Oh, Viswanath 2014, arXiv:1407.1338 (k-ary form)",
	Notion:   privacy.Pure,
	Standing: privacy.Proved,
	New:      newResponse,
}

// newNeighbours makes P(y|x) = e^epsilon/Z for the k outputs nearest to x (x
// itself among them), 1/Z for every other; Z = k e^epsilon + m - k is the same
// for every x, so every ratio of two rows is at most e^epsilon.
func newNeighbours(table *embedding.Table, spec Spec) (Mechanism, error) {
	p := read("neighbours", spec)
	k, given := p.integer("neighbours", 1, table.Len())
	if _, err := p.close(); err != nil {
		return nil, err
	}
	if !given {
		k = nearestByExpectedDistance(table, spec.Epsilon)
	}
	return newTwoLevel("neighbours", table, k, spec.Epsilon)
}

// newResponse is the case k = 1.
func newResponse(table *embedding.Table, spec Spec) (Mechanism, error) {
	if _, err := read("response", spec).close(); err != nil {
		return nil, err
	}
	return newTwoLevel("response", table, 1, spec.Epsilon)
}

// nearestByExpectedDistance chooses k for epsilon: the size of set at which the
// expected distance of an output from its input, averaged over a public sample
// of the table's words, is least.
func nearestByExpectedDistance(table *embedding.Table, epsilon float64) int {
	curve, ok := shippedCurve(table)
	if !ok {
		curve = distanceCurve(table)
	}
	n, all := float64(table.Len()), curve[len(curve)-1].Mean
	best, at := math.Inf(1), 1
	for _, p := range curve {
		k := float64(p.K)
		// A draw is from the set with probability k (e^eps - 1)/Z, from all words otherwise.
		lift := 1 / (1 + n/(k*math.Expm1(epsilon)))
		if e := lift*p.Mean + (1-lift)*all; e < best {
			best, at = e, p.K
		}
	}
	return at
}

// curvePoint is the mean distance of a word to a uniform member of its set of k.
type curvePoint struct {
	K    int     `json:"k"`
	Mean float64 `json:"mean"`
}

// distanceCurve measures the curve on at most 32 words spread over the table,
// at sizes 1, 2, 3, ... growing by a twelfth.
func distanceCurve(table *embedding.Table) []curvePoint {
	n := table.Len()
	sample := min(n, 32)
	var curve []curvePoint
	for k := 1; ; k += 1 + k/12 {
		curve = append(curve, curvePoint{K: min(k, n)})
		if k >= n {
			break
		}
	}
	row := make([]float64, n)
	for i := range sample {
		x := embedding.ID(i * n / sample)
		table.SquaredDistances(row, []embedding.ID{x}, 0, n)
		sort.Float64s(row)
		sum, j := 0.0, 0
		for c := range curve {
			for ; j < curve[c].K; j++ {
				sum += table.Step() * math.Sqrt(row[j])
			}
			curve[c].Mean += sum / float64(curve[c].K) / float64(sample)
		}
	}
	return curve
}
