package ledgertest_test

import (
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/ledgertest"
	"github.com/sotto-dp/sotto/ledger/memory"
)

// A test of a store gives the suite an empty ledger, as often as it asks.
func ExampleRun() {
	_ = func(t *testing.T) { // TestStoreKeepsTheContract
		ledgertest.Run(t, func(t *testing.T) ledgertest.Place {
			store := memory.New()
			return ledgertest.Place{
				Open:  func(testing.TB) ledger.Store { return store },
				Holds: func(testing.TB, []byte) bool { return false }, // search what is stored
			}
		})
	}
}
