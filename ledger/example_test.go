package ledger_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
	"github.com/sotto-dp/sotto/privacy"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(dir, "budgets.db"), Create: true})
	if err != nil {
		panic(err)
	}
	l, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		panic(err)
	}
	defer l.Close()
	budget, _ := ledger.ParseLimit("30", "")
	if _, err := l.Grant(ctx, ledger.Grant{Account: "alice", Amount: budget}); err != nil {
		panic(err)
	}

	// Twenty-six tokens at epsilon 1 each, charged before any is drawn.
	claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 1}
	charge, err := ledger.Price(claim, "", 26)
	if err != nil {
		panic(err)
	}
	charge.Account = "alice"
	charge.Key, charge.Request = "0b9f6a2e-3f5b-4a39-9d5e-7f0f0a6d9c11", sha256.Sum256([]byte("the whole request"))
	receipt, err := l.Charge(ctx, charge)
	if err != nil {
		panic(err)
	}
	fmt.Println("charged", receipt.Entry.Amount, "left", receipt.Remaining)
	answer, err := l.Answer(ctx, "alice", charge.Key, []byte("the private copy"))
	if err != nil {
		panic(err)
	}
	fmt.Printf("release %q\n", answer)

	// A retry is not charged and gets the same answer.
	receipt, err = l.Charge(ctx, charge)
	fmt.Printf("replayed %t: %q (%v)\n", receipt.Replayed, receipt.Answer, err)

	charge.Key = "another"
	var exhausted *ledger.ExhaustedError
	_, err = l.Charge(ctx, charge)
	fmt.Println(errors.As(err, &exhausted), err)
	// Output:
	// charged epsilon 26 left epsilon 4
	// release "the private copy"
	// replayed true: "the private copy" (<nil>)
	// true ledger: the budget of account alice is exhausted: the charge is epsilon 26, epsilon 4 left
}
