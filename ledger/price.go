package ledger

import (
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Price returns the charge for a number of draws under a claim over the table with the given
// SHA-256, empty for none: what the loss is counted in, whose loss it is, and its cost. The
// caller adds the account and, for a charge that is made once, Key and Request. A charge that
// is put together by hand may lack one of the three, and then counts for another unit. Its
// errors are those of [Cost].
func Price(claim privacy.Claim, table string, draws int64) (Charge, error) {
	cost, err := Cost(claim, draws)
	if err != nil {
		return Charge{}, err
	}
	return Charge{Basis: BasisOf(claim, table), Party: accountant.PartyOf(claim), Cost: cost}, nil
}
