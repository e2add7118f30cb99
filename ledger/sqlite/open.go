package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"

	"github.com/sotto-dp/sotto/ledger"
)

// Open opens a ledger file.
func Open(ctx context.Context, cfg Config) (_ *Store, err error) {
	s := &Store{id: identity{place: cfg.Path}}
	defer func() {
		if err != nil {
			_ = s.Close()
			err = s.wrap(err)
		}
	}()
	path, err := filepath.Abs(cfg.Path)
	if err != nil {
		return nil, err
	}
	if cfg.Create && !cfg.ReadOnly {
		if err := orphaned(path); err != nil {
			return nil, err
		}
		if err := makeFile(path); err != nil {
			return nil, err
		}
	}
	if path, err = s.id.find(path); err != nil {
		return nil, err
	}
	if err := orphaned(path); err != nil {
		return nil, err
	}
	mode, err := s.mode(cfg, path)
	if err != nil {
		return nil, err
	}
	if s.reads, err = sql.Open("sqlite", address(path, mode, "query_only(1)")); err != nil {
		return nil, err
	}
	// Another program's file is refused before anything of it is changed. One transaction
	// reads all, since another process may be making the ledger.
	err = s.onConn(ctx, func(ctx context.Context, conn *sql.Conn) error {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() //nolint:errcheck // it only reads
		has, err := check(ctx, tx)
		if err == nil && has == 0 && (cfg.ReadOnly || !cfg.Create) {
			err = errNoLedger
		}
		s.units = has == version
		if err == nil {
			s.later, err = hasLater(ctx, tx)
		}
		return err
	})
	if err != nil || cfg.ReadOnly {
		return s, err
	}
	if s.writes, err = sql.Open("sqlite", address(path, mode, "synchronous(FULL)")); err != nil {
		return nil, err
	}
	if s.writer, err = s.writes.Conn(ctx); err != nil {
		return nil, err
	}
	if err := s.log(ctx); err != nil {
		return nil, err
	}
	if err := s.transaction(func() error { return create(ctx, s.writer) }); err != nil {
		return nil, err
	}
	s.later, s.units = true, true
	if err := s.durable(ctx); err != nil {
		return nil, err
	}
	if err := s.id.opened(path); err != nil {
		return nil, err
	}
	return s, s.prepare(ctx)
}

// Check has SQLite look through the file: pages, indexes, types.
func (s *Store) Check(ctx context.Context) error {
	return s.same(func() error {
		return s.onConn(ctx, func(ctx context.Context, conn *sql.Conn) error {
			var first string
			if err := conn.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&first); err != nil {
				return s.wrap(err)
			}
			if first != "ok" {
				return &ledger.BrokenError{What: "the file is damaged: " + first}
			}
			return nil
		})
	})
}
