package statement

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"

	"github.com/sotto-dp/sotto/privacy"
)

// What a statement and a cost say of a whole text is not below the sum of its losses, and is
// JSON: a sum that no number holds has no bound.
func TestSumsOfAStatementAreNotBelowTheLosses(t *testing.T) {
	most := big.NewFloat(math.MaxFloat64)
	for _, loss := range []float64{0.1, 1.0 / 3, 6, 1e308} {
		for _, n := range []int{0, 1, 3, 7, 49} {
			s := Statement{Claim: privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: loss}, Documents: 1, Draws: n}
			s.total(loss, n)
			exact := new(big.Float).SetPrec(200).SetFloat64(loss)
			exact.Mul(exact, big.NewFloat(float64(n)))
			for _, total := range []*float64{s.DocumentEpsilonMax, s.Cost().EpsilonTotal} {
				if (total == nil) != (exact.Cmp(most) > 0) || total != nil && exact.Cmp(big.NewFloat(*total)) > 0 {
					t.Errorf("%d tokens of %v lose %v together", n, loss, total)
				}
			}
			for _, document := range []any{s, s.Cost()} {
				if _, err := json.Marshal(document); err != nil {
					t.Error(err)
				}
			}
		}
	}
	var unbounded Statement
	if unbounded.total(math.Inf(1), 0); unbounded.DocumentEpsilonMax != nil {
		t.Error("a loss without a bound has one over no tokens")
	}
}
