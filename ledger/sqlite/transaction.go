package sqlite

import (
	"context"
	"database/sql"

	"github.com/sotto-dp/sotto/ledger"
)

func (s *Store) onConn(ctx context.Context, f func(context.Context, *sql.Conn) error) error {
	conn, err := s.reads.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return f(ctx, conn)
}

// same runs f and checks before and after that the opened files still have their
// names. A *ReplacedError takes precedence over an error of f.
func (s *Store) same(f func() error) error {
	if err := s.id.check(); err != nil {
		return s.wrap(err)
	}
	err := f()
	if moved := s.id.check(); moved != nil {
		return s.wrap(moved)
	}
	if written := s.unwritten(); written != nil { // an error of f may come from it
		return s.wrap(written)
	}
	return err
}

// View reads one state.
func (s *Store) View(ctx context.Context, f func(ledger.View) error) error {
	return s.same(func() error {
		return s.onConn(ctx, func(ctx context.Context, conn *sql.Conn) error {
			tx, err := conn.BeginTx(ctx, nil)
			if err != nil {
				return s.wrap(err)
			}
			defer tx.Rollback()
			return f(&view{store: s, db: tx})
		})
	})
}

// transaction runs f between BEGIN IMMEDIATE and COMMIT. It ignores contexts: it
// waits for a commit under way, and up to busyTimeout for a lock.
func (s *Store) transaction(f func() error) error {
	ctx := context.Background()
	if _, err := s.writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return s.wrap(err)
	}
	err := f()
	if err == nil {
		if _, err = s.writer.ExecContext(ctx, "COMMIT"); err == nil {
			return nil
		}
		err = s.wrap(err)
	}
	// Some errors have already rolled back; then this fails, harmlessly.
	_, _ = s.writer.ExecContext(ctx, "ROLLBACK")
	return err
}

// Update writes. One caller at a time. A file that was replaced before the commit
// ended is found here: what was committed to it is not acknowledged.
func (s *Store) Update(_ context.Context, f func(ledger.Tx) error) error {
	if s.writer == nil {
		return s.wrap(errReadOnly)
	}
	return s.same(func() error {
		return s.transaction(func() error { return f(&tx{view{store: s, db: s.writer}}) })
	})
}
