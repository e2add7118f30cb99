package sotto_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/memory"
	"github.com/sotto-dp/sotto/privacy"
)

// The seed makes the output checkable here; leave it out for real texts.
func Example() {
	seed := uint64(1)
	r, err := sotto.Open(context.Background(), sotto.Config{
		Epsilon: 12, Parameters: map[string]string{"neighbours": "10"},
		InsecureSeed: &seed,
	})
	if err != nil {
		log.Fatal(err)
	}
	release, err := r.Rewrite(context.Background(), "The food was terrible and my doctor in Boston agreed.")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(release.Text)
	fmt.Println(release.Claim)
	fmt.Println(release.Statement.Randomness)
	// Output:
	// The feed was marietta while your medical the york hoped and
	// (epsilon = 12)-differential privacy for each token
	// seeded
}

// A mechanism whose published guarantee is refuted opens only if that standing is
// accepted. An invalid epsilon is refused with the reason.
func ExampleOpen_refused() {
	_, err := sotto.Open(context.Background(), sotto.Config{Mechanism: "tem", Epsilon: -1})
	fmt.Println(err)
	_, err = sotto.Open(context.Background(), sotto.Config{Notion: privacy.None, Epsilon: 1})
	fmt.Println(err)
	// Output:
	// tem: epsilon must be positive and finite, got -1
	// sotto: notion must be pure or metric, got "none"
}

// Charge an account before anything is drawn: a stream that it cannot pay for is not released.
func ExampleRewriter_Charge() {
	ctx := context.Background()
	budgets, _ := ledger.Open(ctx, ledger.Config{Store: memory.New()}) // package ledger/open has those that last
	_, _ = budgets.Grant(ctx, ledger.Grant{Account: "team", Amount: ledger.Amount{Epsilon: 50e9}})
	r, err := sotto.Open(ctx, sotto.Config{Epsilon: 8})
	if err != nil {
		log.Fatal(err)
	}
	_, err = r.Copy(ctx, io.Discard, strings.NewReader("my doctor agreed"), sotto.Stream{Charge: r.Charge(budgets, "team")})
	fmt.Println(err)
	_, err = r.Copy(ctx, io.Discard, strings.NewReader("my doctor in Boston agreed"), sotto.Stream{Charge: r.Charge(budgets, "team")})
	fmt.Println(err)
	// Output:
	// <nil>
	// ledger: the budget of account team is exhausted: the charge is epsilon 40, epsilon 26 left
}
