package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/sqlite"
)

// A ledger in a file grants a budget to an account.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	store, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(folder, "budgets.db"), Create: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	l, err := ledger.Open(ctx, ledger.Config{Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close() //nolint:errcheck // at the end of the example
	limit, err := ledger.ParseLimit("10", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = l.Grant(ctx, ledger.Grant{Account: "alice", Amount: limit})
	fmt.Println(err)
	// Output: <nil>
}
