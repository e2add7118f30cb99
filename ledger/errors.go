package ledger

import (
	"errors"
	"fmt"
	"time"

	"github.com/sotto-dp/sotto/privacy/accountant"
)

// ErrKeyReused is returned for an idempotency key that was used with another
// request. Nothing is charged.
var ErrKeyReused = errors.New("ledger: this idempotency key was used with another request")

// ErrChargeChanged is returned by ChargeEach for a retry whose first call charged for other
// keys and was not answered. Nothing is charged.
var ErrChargeChanged = errors.New("ledger: other keys were charged for under this idempotency key")

// ErrForgotten is returned for a retry whose answer was released and has since expired or
// been removed. Drawing again would be a second release, so it is refused.
var ErrForgotten = errors.New("ledger: the answer under this idempotency key has expired")

// ErrClosed is returned by a ledger that was closed.
var ErrClosed = errors.New("ledger: closed")

// ErrNotCharged is returned for an answer to a charge that was never made.
var ErrNotCharged = errors.New("ledger: nothing was charged under this idempotency key")

// ExhaustedError reports a charge that exceeds a budget. Nothing was spent.
type ExhaustedError struct {
	Account   string
	Cost      Amount
	Remaining Amount        // the largest cost that would be accepted
	Period    time.Duration // of the first limit that refused; 0 is forever
	Ends      time.Time     // when its window ends; zero forever, and where Never
	// Never says that the cost exceeds the whole budget of that period, so that waiting for
	// another does not help.
	Never bool
}

func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("ledger: the budget of account %s is exhausted: the charge is %s, %s", e.Account, e.Cost, e.Left())
}

// Left says what is left, and until when.
func (e *ExhaustedError) Left() string {
	switch {
	case e.Never:
		return fmt.Sprintf("more than the whole budget of a period; %s left", e.Remaining)
	case e.Period != 0:
		return fmt.Sprintf("%s left until %s", e.Remaining, e.Ends.Format(time.RFC3339))
	}
	return fmt.Sprintf("%s left", e.Remaining)
}

// judge finds a period whose whole budget the cost exceeds, unless a budget forever refused it.
func (e *ExhaustedError) judge(limits []Limit) {
	for _, l := range limits {
		if e.Period != 0 && l.Period != 0 && !e.Cost.within(l.Granted) {
			e.Period, e.Ends, e.Never = l.Period, time.Time{}, true
			return
		}
	}
}

// AnswersFullError reports a new idempotency key of an account whose stored
// answers have reached their limit. Nothing was spent.
type AnswersFullError struct {
	Account    string
	Kept, Most int64 // bytes
}

func (e *AnswersFullError) Error() string {
	return fmt.Sprintf("ledger: %d bytes of answers are stored for account %s, and a new idempotency key needs fewer than %d: wait until some have expired, or leave out the key", e.Kept, e.Account, e.Most)
}

// UnknownAccountError reports an account to which nothing was ever granted.
type UnknownAccountError struct{ Account string }

func (e *UnknownAccountError) Error() string {
	return fmt.Sprintf("ledger: there is no account %s", e.Account)
}

// BasisError reports a charge or a grant in another unit than the account's.
type BasisError struct {
	Account   string
	Has, Asks Basis
}

func (e *BasisError) Error() string {
	return fmt.Sprintf("ledger: account %s counts %s, not %s", e.Account, e.Has, e.Asks)
}

// UnitError reports a charge of a loss that does not add up with those of the account.
// Nothing was spent.
type UnitError struct {
	Account   string
	Has, Asks accountant.Party
}

func (e *UnitError) Error() string {
	return fmt.Sprintf("ledger: account %s counts losses of %s and cannot be charged for a loss of %s: open another account", e.Account, e.Has, e.Asks)
}

// ReplacedError reports a store that is no longer the one that was opened: its file was
// replaced, removed or hard linked, or its chain is an earlier one. Charges to it might be
// lost, so the ledger charges and returns nothing until it is opened again.
type ReplacedError struct {
	Place string // redacted; empty where the store does not know it
	What  string
}

func (e *ReplacedError) Error() string {
	place := "ledger"
	if e.Place != "" {
		place += " " + e.Place
	}
	return place + ": " + e.What + " while it was open: nothing is charged until it is opened again"
}

// BrokenError reports the first fault that Verify found.
type BrokenError struct {
	Seq  int64 // the entry; 0 where the fault lies beside the entries
	What string
}

func (e *BrokenError) Error() string {
	if e.Seq == 0 {
		return "ledger: broken: " + e.What
	}
	return fmt.Sprintf("ledger: broken at entry %d: %s", e.Seq, e.What)
}
