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
	"time"

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
	BeginTx(ctx context.Context, options pgx.TxOptions) (pgx.Tx, error)
	Close()
}

// Store is a ledger.Store.
type Store struct {
	name     string // for errors: redacted
	pool     connections
	patience time.Duration // for one statement
	readOnly bool
	// later, units: the database has the tables that the first ledgers lack, and the
	// columns of units.
	later, units bool
}

var _ ledger.Store = (*Store)(nil)

var errAddress = errors.New("is not the URL of a PostgreSQL database, or a file of sslrootcert, sslcert or sslkey holds no certificate or key")

// fsyncError reports a server whose commits may be lost.
type fsyncError struct{ place string }

func (e *fsyncError) Error() string {
	return "ledger " + e.place + ": the server runs with fsync off: a charge might be lost"
}

func (s *Store) wrap(err error) error {
	if err == nil || strings.HasPrefix(err.Error(), "ledger "+s.name+": ") || errors.As(err, new(*ledger.BrokenError)) {
		return err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &lateError{err}
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

// lateError is what the driver says of a server that did not answer in time.
type lateError struct{ err error }

func (e *lateError) Error() string { return "the server did not answer in time: " + e.err.Error() }

func (e *lateError) Unwrap() error { return e.err }

// soon bounds the time of a statement.
func (s *Store) soon(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.patience)
}

// transaction runs f, and names the store in its own errors only.
func (s *Store) transaction(ctx context.Context, options pgx.TxOptions, f func(*tx) error) error {
	begin, cancel := s.soon(ctx)
	t, err := s.pool.BeginTx(begin, options)
	cancel()
	if err != nil {
		return s.wrap(err)
	}
	end := func(how func(context.Context) error) error {
		ctx, cancel := s.soon(ctx)
		defer cancel()
		return s.wrap(how(ctx))
	}
	defer func() { _ = end(t.Rollback) }() // nothing after a commit
	if err := f(&tx{view{store: s, tx: t}}); err != nil {
		return err
	}
	return end(t.Commit)
}

// View reads one state.
func (s *Store) View(ctx context.Context, f func(ledger.View) error) error {
	return s.transaction(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(t *tx) error { return f(&t.view) })
}

// Update writes. At READ COMMITTED each statement after the lock sees all that
// earlier holders of the lock committed.
func (s *Store) Update(ctx context.Context, f func(ledger.Tx) error) error {
	return s.transaction(ctx, s.writing(), func(t *tx) error {
		// With each lock, because the server may be another one since, or have other settings.
		if err := s.checkFsync(ctx, t.tx, "SELECT current_setting('fsync') FROM ledger_head FOR UPDATE"); err != nil {
			return err
		}
		return f(t)
	})
}

func (s *Store) writing() pgx.TxOptions {
	options := pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	if s.readOnly { // not of the session: the URL may ask for one that can write
		options.AccessMode = pgx.ReadOnly
	}
	return options
}

// checkFsync refuses a server whose commits are not durable.
func (s *Store) checkFsync(ctx context.Context, t pgx.Tx, query string) error {
	var fsync string
	err := t.QueryRow(ctx, query).Scan(&fsync)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return errNoHead
	case err == nil && fsync != "on":
		return &fsyncError{s.name}
	}
	return s.wrap(err)
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
