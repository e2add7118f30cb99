package audit

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// rankedTail returns ln P(K = 1)/P(K >= rank) by adding all terms up.
func rankedTail(words, rank int) float64 {
	mean, term, tail, first := math.Log(float64(words)), 1.0, 0.0, 0.0
	for k := 1; k <= words; k++ {
		term *= mean / float64(k)
		if k == 1 {
			first = term
		}
		if k >= rank {
			tail += term
		}
	}
	return math.Log(first / tail)
}

// The bound is never above the exact loss of K alone, and close to it in the tail.
func TestRankedLossBoundsTheTailOfK(t *testing.T) {
	for _, words := range []int{2, 9, 60, 150} {
		for rank := 1; rank <= words; rank++ {
			got, exact := rankedLoss(words, rank), rankedTail(words, rank)
			if got > max(0, exact) {
				t.Errorf("rank %d of %d: %.12g is above %.12g", rank, words, got, exact)
			}
			if rank > 3*int(math.Log(float64(words)))+3 && got < exact-0.1 {
				t.Errorf("rank %d of %d: %.12g is far below %.12g", rank, words, got, exact)
			}
		}
	}
}

// Of words with one vector the first alone stays at K = 1, and words of equal distance
// share the lowest rank.
func TestWorstRankedIsOfTheFirstWordWithItsVector(t *testing.T) {
	const n = 40
	s := embedding.Source{Dim: 2}
	for i := range n {
		s.Words = append(s.Words, string(rune('A'+i)))
		at := [2]float32{1, 0} // around word 0: 20 odd words at distance 1, 19 even ones at 2
		switch {
		case i == 0:
			at = [2]float32{0, 0}
		case i%2 == 0:
			at = [2]float32{0, 2}
		}
		s.Vectors = append(s.Vectors, at[:]...)
	}
	if worst := worstRanked(mustTable(t, s), 1); worst.x != 2 || worst.rank != 22 || worst.distance != 2 || worst.loss != rankedLoss(n, 22) {
		t.Errorf("the worst pair is %+v, want word 2 at rank 22", worst)
	}
}

func TestTruncatedGumbelIsRefutedOverTheEmbeddedTable(t *testing.T) {
	stage.Needs(t, stage.Figures) // computes the figures of the note again
	table, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalog.Find("truncated-gumbel")
	f, err := Run(t.Context(), entry, table, Options{Spec: mechanism.Spec{Epsilon: 50}})
	if err != nil {
		t.Fatal(err)
	}
	// The note has the pair and its loss: 125,058 nats at distance 6.375.
	if f.Verdict != Refuted || f.Method != Analysis || math.Abs(float64(f.EpsilonLow)-125058/6.3752) > 5 {
		t.Errorf("%s by %s: a loss of at least %g per unit", f.Verdict, f.Method, f.EpsilonLow)
	}
	if f.Witness == nil || f.Witness.Input != "renewable" || f.Witness.Neighbour != table.Word(table.Unknown()) || !(f.Witness.ProbabilityNeighbour > 0) {
		t.Errorf("the witness is %+v", f.Witness)
	}
}
