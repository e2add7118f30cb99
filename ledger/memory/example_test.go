package memory_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/memory"
	"github.com/sotto-dp/sotto/privacy"
)

// spend is code that a program wants to test: it charges before it draws.
func spend(ctx context.Context, l *ledger.Ledger, account string, tokens int64) error {
	claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 2}
	charge, err := ledger.Price(claim, "", tokens)
	if err != nil {
		return err
	}
	charge.Account = account
	receipt, err := l.Charge(ctx, charge)
	if err != nil {
		return err
	}
	fmt.Println("left:", receipt.Remaining)
	return nil
}

// A test opens a ledger over a store in memory. A second ledger over the same
// store sees what the first one spent, as another process does with a file.
func Example() {
	ctx := context.Background()
	store := memory.New()
	l, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	budget, _ := ledger.ParseLimit("10", "")
	if _, err := l.Grant(ctx, ledger.Grant{Account: "alice", Amount: budget}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(spend(ctx, l, "alice", 3))

	again, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer again.Close()
	var exhausted *ledger.ExhaustedError
	fmt.Println(errors.As(spend(ctx, again, "alice", 3), &exhausted))
	verified, err := again.Verify(ctx, ledger.Hash{})
	fmt.Println(verified.Charges, "charge", err)
	// Output:
	// left: epsilon 4
	// <nil>
	// true
	// 1 charge <nil>
}
