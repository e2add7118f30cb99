package ledger

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// Account holds an account's limits and its spending. It follows from the entries. Stores
// save it so that a charge need not read all entries.
type Account struct {
	Name  string
	Basis Basis
	// Party is what Spent protects: the unit of the first charge, under AddRemove if
	// all charges are. Its unit is empty before the first charge, and as long as all
	// charges are of a version that recorded none: see Protects.
	Party   accountant.Party
	Spent   Amount // by all charges ever
	Charges int64
	Limits  []Limit // one per period, the one forever first, then the shortest
	// Kept is the number of bytes of stored answers that have not expired. It
	// follows from the stored answers, not from the entries.
	Kept int64
}

// Limit is a budget, forever or per period.
type Limit struct {
	// Period is 0 forever. Otherwise time is cut into windows of this length,
	// counted from 1970-01-01 00:00 UTC, and each has the whole budget: an
	// interval that straddles two windows can spend up to twice the budget.
	Period  time.Duration
	Granted Amount
	Window  int64  // number of the last window with a charge
	Spent   Amount // in that window, from the limit's first grant on
}

var accountName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@:/+-]{0,63}$`)

// CheckAccount accepts 1 to 64 letters, digits, and ._@:/+- after the
// first. A refused name is not repeated: it might be text.
func CheckAccount(name string) error {
	if !accountName.MatchString(name) {
		return privacy.Bad("ledger", "account", fmt.Sprintf("a name of %d bytes", len(name)), "1 to 64 letters, digits or ._@:/+-, a letter or digit first")
	}
	return nil
}

// CheckNewAccount accepts names for new accounts: those that CheckAccount accepts and that
// the path of a URL can have, since GET /v1/accounts/NAME shows an account. Ledgers of
// earlier versions may have others, which keep their names.
func CheckNewAccount(name string) error {
	if err := CheckAccount(name); err != nil {
		return err
	}
	if path.Clean("/"+name) != "/"+name {
		return privacy.Wrong("ledger", "account", "the path of a URL cannot have //, a part . or .., or / at its end", "choose a name without them")
	}
	return nil
}

func (l Limit) window(at time.Time) int64 {
	if l.Period == 0 {
		return 0
	}
	return at.UnixNano() / int64(l.Period)
}

// at returns the limit with its count set back where a new window has begun.
func (l Limit) at(now time.Time) Limit {
	if w := l.window(now); w > l.Window {
		l.Window, l.Spent = w, Amount{}
	}
	return l
}

// Remaining returns what the limit still allows at a time.
func (l Limit) Remaining(now time.Time) Amount {
	l = l.at(now)
	return l.Granted.minus(l.Spent)
}

// Ends returns when the window that contains now ends; the zero time forever.
func (l Limit) Ends(now time.Time) time.Time {
	if l.Period == 0 {
		return time.Time{}
	}
	return time.Unix(0, (l.at(now).Window+1)*int64(l.Period)).UTC()
}

// Remaining returns the largest amount that a charge may cost at a time: the least
// that any limit leaves.
func (a Account) Remaining(now time.Time) Amount {
	if len(a.Limits) == 0 {
		return Amount{}
	}
	least := a.Limits[0].Remaining(now)
	for _, l := range a.Limits[1:] {
		r := l.Remaining(now)
		least = Amount{min(least.Epsilon, r.Epsilon), min(least.Delta, r.Delta)}
	}
	return least
}

// Protects returns what the account's sums protect; the zero value before the first
// charge. Charges of versions that recorded no unit are of texts.
func (a Account) Protects() accountant.Party {
	if a.Party == (accountant.Party{}) && a.Charges > 0 {
		return accountant.Party{Unit: privacy.Text}
	}
	return a.Party
}

// charge spends a cost, or returns an error and changes nothing.
func (a *Account) charge(cost Amount, party accountant.Party, now time.Time) error {
	next, cost, err := a.convert(cost, party, now)
	if err != nil {
		return err
	}
	for i, l := range next.Limits {
		// What was spent within the limit may exceed it under another relation.
		exceeds := a.Charges > 0 && a.Party.Neighbouring != next.Party.Neighbouring && !l.Spent.within(l.Granted) && cost != (Amount{})
		if exceeds || !cost.within(l.Granted.minus(l.Spent)) {
			e := &ExhaustedError{Account: a.Name, Cost: cost, Remaining: next.Remaining(now), Period: l.Period, Ends: l.Ends(now)}
			e.judge(next.Limits)
			return e
		}
		next.Limits[i].Spent, _ = l.Spent.Plus(cost) // at most the grant: it fits
	}
	if len(next.Limits) == 0 {
		return &ExhaustedError{Account: a.Name, Cost: cost}
	}
	var fits bool
	if next.Spent, fits = next.Spent.Plus(cost); !fits {
		return errUncountable
	}
	next.Charges++
	*a = next
	return nil
}

var errUncountable = privacy.Wrong("ledger", "sum of all charges", "it would be 2^63 units or more", "open another account")

// convert returns the account before a charge, and the cost of the charge, both in
// what the account's sums protect after it.
func (a Account) convert(cost Amount, party accountant.Party, now time.Time) (Account, Amount, error) {
	held := a.Protects()
	sum, ok := held.With(party)
	if !ok {
		return a, cost, &UnitError{Account: a.Name, Has: held, Asks: party}
	}
	fits := true
	replaced := func(loss Amount) Amount {
		loss, ok := loss.replaced()
		fits = fits && ok
		return loss
	}
	a.Limits = slices.Clone(a.Limits)
	for i, l := range a.Limits {
		a.Limits[i] = l.at(now)
	}
	if held != (accountant.Party{}) && held.Neighbouring != sum.Neighbouring {
		a.Spent = replaced(a.Spent)
		for i, l := range a.Limits {
			a.Limits[i].Spent = replaced(l.Spent)
		}
	}
	if party.Neighbouring != sum.Neighbouring {
		cost = replaced(cost)
	}
	if party.Unit != "" {
		a.Party = sum
	}
	if !fits {
		return a, cost, errUncountable
	}
	return a, cost, nil
}

// grant adds to the limit of a period, or opens it.
func (a *Account) grant(amount Amount, period time.Duration, now time.Time) error {
	limit := Limit{Period: period}
	i := slices.IndexFunc(a.Limits, func(l Limit) bool { return l.Period == period })
	if i >= 0 {
		limit = a.Limits[i]
	} else {
		limit.Window = limit.window(now)
	}
	granted, fits := limit.Granted.Plus(amount)
	switch {
	case !fits:
		return privacy.Bad("ledger", "sum of grants", nil, "below 2^63 units")
	case granted.negative():
		return privacy.Bad("ledger", "grant", amount, fmt.Sprintf("at least -(%s), which is what was granted", limit.Granted))
	case granted.Delta >= scaled(1, deltaDigits).Int64():
		return privacy.Bad("ledger", "delta of all grants", granted.DeltaText(), "below 1")
	}
	limit.Granted = granted
	limits := slices.Clone(a.Limits)
	if i >= 0 {
		limits[i] = limit
	} else {
		limits = append(limits, limit)
		slices.SortFunc(limits, func(x, y Limit) int { return int(min(max(x.Period-y.Period, -1), 1)) })
	}
	a.Limits = limits
	return nil
}

// equal compares two states of an account.
func (a Account) equal(b Account) bool {
	return a.Name == b.Name && a.Basis == b.Basis && a.Party == b.Party && a.Spent == b.Spent && a.Charges == b.Charges && slices.Equal(a.Limits, b.Limits)
}
