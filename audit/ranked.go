package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/mechanism"
)

// rankedLoss bounds from below the loss between a word x and an input x' from which x
// is at least the rank-th nearest word, for an output among the K nearest words, K from
// a Poisson distribution of mean ln V truncated to 1 to V. With one word x always stays:
// P(x|x) >= P(K = 1). And x' becomes x only if K reaches it: P(x|x') <= P(K >= rank). The
// truncation cancels, and the tail is at most its first term over 1 - mean/(rank + 1):
//
//	loss >= ln rank! - (rank - 1) ln mean + ln(1 - mean/(rank + 1))
func rankedLoss(words, rank int) float64 {
	mean := elementary.Log(float64(words))
	kept := 1 - mean/float64(rank+1)
	if rank < 2 || !(kept > 0) {
		return 0
	}
	factorial, _ := math.Lgamma(float64(rank + 1))
	loss := factorial - float64(float64(rank-1)*elementary.Log(mean)) + elementary.Log(kept)
	return max(0, loss-float64(1e-12*factorial)-1e-9) // for the rounding of the logarithms
}

// rankedPair is a pair of words whose loss is known from below.
type rankedPair struct {
	x, neighbour   embedding.ID
	rank           int
	distance, loss float64
}

// worstRanked returns the pair with the largest bound per unit of distance, with
// neighbours among the first limit words. Of words with one vector the first alone stays
// at K = 1; it is the one returned, since the others have the same bound and come later.
func worstRanked(table *embedding.Table, limit int) (worst rankedPair) {
	n := table.Len()
	squares, order := make([]float64, n), make([]int, n)
	for z := range min(limit, n) {
		table.SquaredDistances(squares, []embedding.ID{embedding.ID(z)}, 0, n)
		for y := range order {
			order[y] = y
		}
		slices.SortFunc(order, func(a, b int) int {
			if c := compare(squares[a], squares[b]); c != 0 {
				return c
			}
			return a - b
		})
		rank := 1 // 1 + the number of words that are nearer
		for i, x := range order {
			if i > 0 && squares[x] > squares[order[i-1]] {
				rank = i + 1
			}
			if squares[x] == 0 {
				continue
			}
			d := float64(table.Step() * math.Sqrt(squares[x]))
			if loss := rankedLoss(n, rank); loss*worst.distance > worst.loss*d || worst.distance == 0 && loss > 0 {
				worst = rankedPair{embedding.ID(x), embedding.ID(z), rank, d, loss}
			}
		}
	}
	return worst
}

// equidistantWords is the number of words of the table below.
const equidistantWords = 64

// equidistant returns a public table of words at nearly equal distances, so that the
// claim allows nearly the same loss between any two, while from the first word every
// other has a rank of its own. Its unit is such that epsilon is a quarter above the
// least one that the published noise exists for.
func equidistant(epsilon float64) (*embedding.Table, error) {
	const n = equidistantWords
	size := 1.25 * float64(5+2*elementary.Log(n)) / epsilon / math.Sqrt2
	s := embedding.Source{Name: "equidistant", Dim: n, Vectors: make([]float32, n*n)}
	for i := range n {
		s.Words = append(s.Words, fmt.Sprintf("axis%d", i+1))
		s.Vectors[i*n+i] = float32(size + float64(size*float64(i)/1024))
	}
	return embedding.New(s)
}

// analyseRanked refutes the claim of metric privacy by the tail of K: over the table,
// or over one made for it.
func analyseRanked(entry mechanism.Entry, m Configured, table *embedding.Table) (*Finding, error) {
	f := newFinding(entry, m, table, Analysis)
	target := f.Target()
	f.Why = "The input itself is always among the K words that an output is chosen from, and alone with the chance of K = 1; a word of a higher rank than K is never chosen. So a loss is at least ln P(K = 1) - ln P(K >= rank), whatever the noise."
	refutes := func(t *embedding.Table, what string) bool {
		worst := worstRanked(t, wordsAnalysed)
		if worst.distance == 0 {
			return false
		}
		low := worst.loss / worst.distance
		f.Why += fmt.Sprintf(" Over %s '%s' has rank %d among the words nearest to '%s', at distance %.4g: a loss of at least %.6g, where the claim allows %.6g.",
			what, t.Word(worst.x), worst.rank, t.Word(worst.neighbour), worst.distance, worst.loss, target.Epsilon*worst.distance)
		if t == table {
			f.EpsilonLow = Bound(low)
		}
		if low <= target.Epsilon*(1+1e-9) {
			return false
		}
		stays := rankedStays(t.Len())
		f.Verdict = Refuted
		f.Witness = &Triple{t.Word(worst.x), t.Word(worst.neighbour), t.Word(worst.x), stays,
			max(stays*math.Exp(-worst.loss), math.SmallestNonzeroFloat64)} // bounds, and never 0
		return true
	}
	if refutes(table, "this table") {
		return f, nil
	}
	made, err := equidistant(target.Epsilon)
	if err != nil {
		return nil, err
	}
	refutes(made, fmt.Sprintf("a public table of %d words made to show it, at nearly equal distances,", made.Len()))
	return f, nil
}

// rankedStays returns P(K = 1).
func rankedStays(words int) float64 {
	mean := elementary.Log(float64(words))
	sum, term := 0.0, 1.0
	for k := 1; k <= words && k <= 1000; k++ {
		term = float64(term * mean / float64(k))
		sum += term
	}
	return mean / sum
}

// wordsAnalysed is how many of a table's words are searched for the worst pair.
const wordsAnalysed = 400
