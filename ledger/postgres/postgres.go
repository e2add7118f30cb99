// Package postgres stores a ledger in a PostgreSQL database that several
// instances of the service share.
//
// A lock on the row of the head makes writers take turns, which the chain requires in any
// case. Each batch of an instance is one transaction with synchronous_commit on. The
// tables, all named ledger_*, are in the first schema of the connection's search path.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/sotto-dp/sotto/ledger"
)

// Config configures Open.
type Config struct {
	// URL is postgres://user@host:port/database, with the parameters that libpq
	// knows. One with a password is refused: see CheckAddress.
	URL string
	// Create makes the tables if the database has none.
	Create bool
	// ReadOnly opens for View and Check; Update fails.
	ReadOnly bool
}

// connections is a *pgxpool.Pool. A field of that type would have importers compile the pool's
// generic code again.
type connections interface {
	Begin(ctx context.Context) (pgx.Tx, error)
	BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
	Close()
}

// Store is a ledger.Store.
type Store struct {
	name string // for errors: redacted
	pool connections
	// later, units: the database has the tables that the first ledgers lack, and the
	// columns of units.
	later, units bool
}

var _ ledger.Store = (*Store)(nil)

var errAddress = errors.New("is not the URL of a PostgreSQL database, or a file that it names cannot be read")

func (s *Store) wrap(err error) error {
	if err == nil {
		return nil
	}
	if strings.Contains(err.Error(), "\n") {
		err = &oneLine{err}
	}
	return fmt.Errorf("ledger %s: %w", s.name, err)
}

// oneLine is an error of the driver that lists what it tried, line by line.
type oneLine struct{ err error }

func (e *oneLine) Error() string {
	lines := strings.FieldsFunc(e.err.Error(), func(r rune) bool { return r == '\n' || r == '\t' })
	return strings.Join(lines, "; ")
}

func (e *oneLine) Unwrap() error { return e.err }

// transaction runs f, and names the store in its own errors only.
func (s *Store) transaction(ctx context.Context, options pgx.TxOptions, f func(*tx) error) error {
	var own error
	err := pgx.BeginTxFunc(ctx, s.pool, options, func(t pgx.Tx) error {
		own = f(&tx{view{store: s, tx: t}})
		return own
	})
	if own != nil {
		return own
	}
	return s.wrap(err)
}

// View reads one state.
func (s *Store) View(ctx context.Context, f func(ledger.View) error) error {
	return s.transaction(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(t *tx) error { return f(&t.view) })
}

// Update writes. At READ COMMITTED each statement after the lock sees all that
// earlier holders of the lock committed.
func (s *Store) Update(ctx context.Context, f func(ledger.Tx) error) error {
	return s.transaction(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(t *tx) error {
		if _, err := t.tx.Exec(ctx, "SELECT 1 FROM ledger_head FOR UPDATE"); err != nil {
			return s.wrap(err)
		}
		return f(t)
	})
}

// Check has nothing to add: PostgreSQL's own checks (amcheck, data checksums)
// are its administrator's.
func (s *Store) Check(context.Context) error { return nil }

// Close closes the connections.
func (s *Store) Close() error {
	if s.pool != nil {
		s.pool.Close()
	}
	return nil
}
