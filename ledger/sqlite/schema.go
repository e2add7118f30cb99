package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"github.com/sotto-dp/sotto/ledger"
)

// version is written into the file's header (user_version), and application
// ("sott") says whose file it is.
const (
	version     = 2
	application = 0x736f7474
)

const schema = `
CREATE TABLE ledger_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id BLOB NOT NULL CHECK (length(id) = 32),
  seq INTEGER NOT NULL,
  time INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TABLE ledger_entries (
  seq INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
  account TEXT NOT NULL,
  basis_table TEXT NOT NULL,
  basis_distance TEXT NOT NULL,
  epsilon INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  period INTEGER NOT NULL,
  key BLOB CHECK (length(key) = 32),
  charge INTEGER,
  digest BLOB CHECK (length(digest) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  unit TEXT NOT NULL DEFAULT '',
  neighbouring INTEGER NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1)
) STRICT;
CREATE UNIQUE INDEX ledger_keys ON ledger_entries (key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX ledger_charges ON ledger_entries (charge) WHERE charge IS NOT NULL;
CREATE TABLE ledger_accounts (
  name TEXT PRIMARY KEY,
  basis_table TEXT NOT NULL,
  basis_distance TEXT NOT NULL,
  epsilon INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  charges INTEGER NOT NULL,
  unit TEXT NOT NULL DEFAULT '',
  neighbouring INTEGER NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger_limits (
  account TEXT NOT NULL,
  period INTEGER NOT NULL,
  granted_epsilon INTEGER NOT NULL,
  granted_delta INTEGER NOT NULL,
  window_number INTEGER NOT NULL,
  epsilon INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  PRIMARY KEY (account, period)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger_answers (
  charge INTEGER PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT;
`

// later are the tables that the first ledgers lack.
const later = `
CREATE TABLE IF NOT EXISTS ledger_expiring (
  expires INTEGER NOT NULL,
  charge INTEGER NOT NULL,
  account TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (expires, charge)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ledger_kept (
  account TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`

// units are the columns that ledgers of version 1 lack. Their entries have no unit.
// The version changes because a program that does not know units would add up losses
// of different ones.
var units = func() (alter string) {
	for _, table := range []string{"ledger_entries", "ledger_accounts"} {
		alter += "ALTER TABLE " + table + " ADD COLUMN unit TEXT NOT NULL DEFAULT '';" +
			"ALTER TABLE " + table + " ADD COLUMN neighbouring INTEGER NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1);"
	}
	return alter + fmt.Sprintf("PRAGMA user_version = %d;", version)
}()

// errNoLedger is returned for a file that holds something else.
var errNoLedger = errors.New("is not a ledger of sotto")

// create makes the tables in an empty file, and what one of an earlier program
// lacks, within a transaction of conn.
func create(ctx context.Context, conn *sql.Conn) error {
	has, err := check(ctx, conn)
	if err != nil {
		return err
	}
	switch has {
	case version:
		_, err := conn.ExecContext(ctx, later)
		return err
	case 1:
		_, err := conn.ExecContext(ctx, later+units)
		return err
	}
	var id ledger.Hash
	_, _ = rand.Read(id[:]) // never fails
	head := ledger.NewHead(id)
	_, err = conn.ExecContext(ctx, schema+later+fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d;", version, application))
	if err == nil {
		_, err = conn.ExecContext(ctx, "INSERT INTO ledger_head VALUES (1, ?, ?, ?, ?)", head.ID[:], head.Seq, head.Time.UnixNano(), head.Hash[:])
	}
	return err
}

// querier is a connection or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// hasLater reports whether the file has the later tables: one that is opened for
// reading may not.
func hasLater(ctx context.Context, conn querier) (bool, error) {
	var n int
	err := conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name IN ('ledger_expiring', 'ledger_kept')").Scan(&n)
	return n == 2, err
}

// check refuses a file of another program or a later version. It returns the file's
// version, 0 for an empty one.
func check(ctx context.Context, conn querier) (int, error) {
	var tables, app, v int
	for _, q := range []struct {
		to  *int
		sql string
	}{
		{&tables, "SELECT count(*) FROM sqlite_schema"}, {&app, "PRAGMA application_id"}, {&v, "PRAGMA user_version"},
	} {
		if err := conn.QueryRowContext(ctx, q.sql).Scan(q.to); err != nil {
			return 0, err
		}
	}
	switch {
	case tables == 0 && app == 0 && v == 0:
		return 0, nil
	case app != application:
		return 0, errNoLedger
	case v < 1 || v > version:
		return 0, fmt.Errorf("has version %d of a ledger, this program reads 1 to %d", v, version)
	}
	return v, nil
}
