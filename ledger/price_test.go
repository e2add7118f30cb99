package ledger_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// A price has all that the account needs to know of a loss: what it is counted in, whose it is
// under which relation, and how much.
func TestPriceStatesBasisPartyAndCost(t *testing.T) {
	table := strings.Repeat("ab", 32)
	metric := privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: "euclidean", Epsilon: 2}
	for _, c := range []struct {
		claim privacy.Claim
		draws int64
		want  ledger.Charge
	}{
		{privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: 4}, 3,
			ledger.Charge{Party: accountant.Party{Unit: privacy.Text}, Cost: ledger.Amount{Epsilon: 12e9}}},
		{privacy.Claim{Unit: privacy.User, Neighbouring: privacy.AddRemove, Notion: privacy.Approximate, Epsilon: 1, Delta: 1e-6}, 1,
			ledger.Charge{Party: accountant.Party{Unit: privacy.User, Neighbouring: privacy.AddRemove}, Cost: ledger.Amount{Epsilon: 1e9, Delta: 1e12}}},
		{metric, 5, ledger.Charge{Basis: ledger.Basis{Table: table, Distance: "euclidean"}, Party: accountant.Party{Unit: privacy.Token}, Cost: ledger.Amount{Epsilon: 10e9}}},
		{metric, 0, ledger.Charge{Basis: ledger.Basis{Table: table, Distance: "euclidean"}, Party: accountant.Party{Unit: privacy.Token}}},
	} {
		if got, err := ledger.Price(c.claim, table, c.draws); err != nil || got != c.want {
			t.Errorf("%d draws under %v: %+v (%v), want %+v", c.draws, c.claim, got, err, c.want)
		}
	}
	metric.Epsilon = math.Inf(1)
	if c, err := ledger.Price(metric, table, 1); err == nil || c != (ledger.Charge{}) {
		t.Errorf("an infinite loss has the price %+v", c)
	}
	if _, err := ledger.Price(privacy.Claim{Unit: privacy.MarkedToken, Notion: privacy.Pure, Epsilon: 1}, "", 1); err == nil {
		t.Error("words inside marks have a price")
	}
}
