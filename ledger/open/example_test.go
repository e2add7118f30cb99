package open_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/ledger/open"
)

// A place is a file or a PostgreSQL URL without a password.
func ExampleCheck() {
	fmt.Println(open.Check("budgets.db"))
	fmt.Println(open.Check("postgres://sotto@db.example/budgets"))
	fmt.Println(open.Check("postgres://sotto:secret@db.example/budgets") != nil)
	// Output:
	// <nil>
	// <nil>
	// true
}
