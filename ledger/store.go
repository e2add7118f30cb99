package ledger

import (
	"context"
	"time"
)

// Store stores the ledger's rows and provides transactions. It implements none
// of the ledger's rules. Package ledgertest tests its contract.
type Store interface {
	// Update calls f once in a transaction that no other writer of the same
	// ledger, in this process or another, can overlap. When it returns nil, what
	// f appended is on stable storage; when it returns an error, either none of
	// it is stored, or the connection was lost and the outcome is unknown.
	Update(ctx context.Context, f func(Tx) error) error
	// View calls f on one consistent state.
	View(ctx context.Context, f func(View) error) error
	// Check looks for damage that reading the rows in order does not find.
	Check(ctx context.Context) error
	Close() error
}

// View reads one state of a store.
type View interface {
	Head(ctx context.Context) (Head, error)
	// Accounts returns those of names that exist, or all where names is nil, in
	// any order, each with its limits in order of period and what is kept for it.
	Accounts(ctx context.Context, names []string) ([]Account, error)
	// Keyed returns the charges and grants under the given digests of keys, each given once,
	// in any order.
	Keyed(ctx context.Context, keys []Hash) ([]Entry, error)
	// Answers returns the answers to the given charges, in any order.
	Answers(ctx context.Context, charges []int64) ([]Answer, error)
	// Entries returns at most n entries after one, in order of Seq. Rows that
	// cannot be entries are a *BrokenError.
	Entries(ctx context.Context, after int64, n int) ([]Entry, error)
}

// Tx is a View that can append.
type Tx interface {
	View
	Append(ctx context.Context, c Changes) error
	// Forget removes the answers that expired at a time or before, the earliest
	// first and at most n, subtracts them from their accounts' Kept, and
	// returns their number.
	Forget(ctx context.Context, at time.Time, n int) (int, error)
}

// Changes is what one transaction adds.
type Changes struct {
	Head     Head      // after the entries
	Entries  []Entry   // in order
	Accounts []Account // new states, each account once; their Kept follows from Answers
	Answers  []Answer  // to be kept; their entries are among Entries
}

// Answer is an entry of kind Answered with its stored answer.
type Answer struct {
	Entry  Entry
	Sealed []byte // encrypted; nil where it was removed
	// Expires is the time after which the answer may be removed, zero for never. Counted is
	// the number of bytes that it adds to its account's Kept until then.
	Expires time.Time
	Counted int64
}
