package ledgertest

import (
	"testing"
)

// Run checks a store. place makes a new Place, with an empty ledger.
func Run(t *testing.T, place func(t *testing.T) Place) {
	for _, c := range []struct {
		sentence string
		check    func(t *testing.T, p Place)
	}{
		{"a charge is accepted to the last unit of the budget and refused beyond it", lastUnit},
		{"a refused charge leaves no trace", noTrace},
		{"an account without a grant pays for nothing", noAccount},
		{"a metric loss is not charged to another table, nor to a word-level account", otherBasis},
		{"an account adds up losses of one unit and relation, and converts or refuses others", parties},
		{"replacing counts twice what adding and removing does, in every period", replacing},
		{"each charge keeps its unit and relation", recorded},
		{"grants add up, and a negative grant takes back no more than was granted", grants},
		{"a period's budget comes back with the next period, not with a clock set back", periods},
		{"every limit of an account holds", severalLimits},
		{"a retry under a key is charged once and gets the same answer after a restart", retry},
		{"a grant under a key is made once", grantedOnce},
		{"a key is refused with another request, and is another key for another account", keyReuse},
		{"two answers to one charge: the first is the answer", firstAnswer},
		{"an answer that was removed is not drawn again", tampered(forgotten)},
		{"an answer expires, and its key is refused ever after: not charged, not drawn for", expiry},
		{"what is kept of answers is bounded for each account, before a charge", bounded},
		{"all that has expired is removed, however much it is", manyExpire},
		{"a request's own key and its charges are made together or not at all", ownKey},
		{"many keys are charged once each, all or none, and answered once", each},
		{"of callers that share keys each key is charged once, and all get one answer", eachShared},
		{"nothing of a key, a request or an answer can be read from the store", nothingPlain},
		{"concurrent charges spend exactly the budget", concurrent},
		{"a chain of thousands of entries verifies", long},
		{"of two instances that race on the last unit exactly one wins", race},
		{"a sum that cannot be counted is refused", overflow},
		{"a caller that leaves gets no receipt", leaving},
		{"the ledger agrees with a plain model, whatever is done to it", model},
		{"verify finds any change of a stored value", tampered(edits)},
		{"verify finds a gap, a reordering, a foreign entry and a cut", tampered(cuts)},
		{"a store whose chain went back, or is another's, is refused until it is opened again", tampered(wentBack)},
	} {
		t.Run(c.sentence, func(t *testing.T) { c.check(t, place(t)) })
	}
}
