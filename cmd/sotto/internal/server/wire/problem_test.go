package wire

import (
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// A client that reads when a period ends waits for it: it is not told so in vain.
func TestPeriodEndsOnlyWhereWaitingHelps(t *testing.T) {
	ends := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		e    ledger.ExhaustedError
		ends bool
	}{
		{ledger.ExhaustedError{}, false},
		{ledger.ExhaustedError{Period: time.Hour, Ends: ends}, true},
		{ledger.ExhaustedError{Period: time.Hour, Never: true}, false},
	} {
		p := ProblemOf(&c.e)
		if p.Type != "budget-exhausted" || (p.Ends != nil) != c.ends || strings.Contains(p.Detail, "waiting does not help") != c.e.Never {
			t.Errorf("%+v gives %+v", c.e, p)
		}
	}
}
