package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
)

// Backup copies one consistent state of the ledger into a file, also while programs charge
// it. The file must be empty or missing, and has no log beside it. The caller syncs the
// copy to disk.
func Backup(ctx context.Context, path, to string) error {
	s, err := Open(ctx, Config{Path: path, ReadOnly: true}) // refuses what is no ledger
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // it was read only
	if path, err = filepath.Abs(path); err != nil {
		return s.wrap(err)
	}
	if to, err = filepath.Abs(to); err != nil {
		return s.wrap(err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return s.wrap(plain(err))
	}
	mode := "ro"
	if s.still != nil {
		mode = "still"
	}
	return s.same(func() error {
		// Not on the connections of the store, which refuse every statement that writes.
		db, err := sql.Open("sqlite", address(real, mode))
		if err != nil {
			return s.wrap(err)
		}
		defer db.Close() //nolint:errcheck // it was read only
		_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
		return s.wrap(err)
	})
}
