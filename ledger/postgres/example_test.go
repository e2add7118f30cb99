package postgres_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/ledger/postgres"
)

// Passwords belong into PGPASSWORD or a password file. Command lines are visible to others.
func ExampleCheckAddress() {
	fmt.Println(postgres.CheckAddress("postgres://sotto@db.example/budgets"))
	fmt.Println(postgres.CheckAddress("postgres://sotto:secret@db.example/budgets") != nil)
	// Output:
	// <nil>
	// true
}
