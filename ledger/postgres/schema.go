package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/sotto-dp/sotto/ledger"
)

const version = 2

// createLock keeps two instances from creating the tables concurrently.
const createLock = 0x736f7474 // "sott"

const schema = `
CREATE TABLE ledger_head (
  one integer PRIMARY KEY CHECK (one = 1),
  version integer NOT NULL,
  id bytea NOT NULL CHECK (octet_length(id) = 32),
  seq bigint NOT NULL,
  time bigint NOT NULL,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE TABLE ledger_entries (
  seq bigint PRIMARY KEY,
  time bigint NOT NULL,
  kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 3),
  account text NOT NULL,
  basis_table text NOT NULL,
  basis_distance text NOT NULL,
  epsilon bigint NOT NULL,
  delta bigint NOT NULL,
  period bigint NOT NULL,
  key bytea CHECK (octet_length(key) = 32),
  charge bigint,
  digest bytea CHECK (octet_length(digest) = 32),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  unit text NOT NULL DEFAULT '',
  neighbouring smallint NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1)
);
CREATE UNIQUE INDEX ledger_keys ON ledger_entries (key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX ledger_charges ON ledger_entries (charge) WHERE charge IS NOT NULL;
CREATE TABLE ledger_accounts (
  name text PRIMARY KEY,
  basis_table text NOT NULL,
  basis_distance text NOT NULL,
  epsilon bigint NOT NULL,
  delta bigint NOT NULL,
  charges bigint NOT NULL,
  unit text NOT NULL DEFAULT '',
  neighbouring smallint NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1)
);
CREATE TABLE ledger_limits (
  account text NOT NULL,
  period bigint NOT NULL,
  granted_epsilon bigint NOT NULL,
  granted_delta bigint NOT NULL,
  window_number bigint NOT NULL,
  epsilon bigint NOT NULL,
  delta bigint NOT NULL,
  PRIMARY KEY (account, period)
);
CREATE TABLE ledger_answers (
  charge bigint PRIMARY KEY,
  sealed bytea NOT NULL
);
`

// later are the tables that the first ledgers lack.
const later = `
CREATE TABLE IF NOT EXISTS ledger_expiring (
  expires bigint NOT NULL,
  charge bigint NOT NULL,
  account text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (expires, charge)
);
CREATE TABLE IF NOT EXISTS ledger_kept (
  account text PRIMARY KEY,
  bytes bigint NOT NULL
);
`

// units are the columns that ledgers of version 1 lack. Their entries have no unit.
// The version changes because a program that does not know units would add up losses
// of different ones.
const units = `
ALTER TABLE ledger_entries ADD COLUMN unit text NOT NULL DEFAULT '', ADD COLUMN neighbouring smallint NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1);
ALTER TABLE ledger_accounts ADD COLUMN unit text NOT NULL DEFAULT '', ADD COLUMN neighbouring smallint NOT NULL DEFAULT 0 CHECK (neighbouring BETWEEN 0 AND 1);
UPDATE ledger_head SET version = 2;
`

var errNoLedger = errors.New("the database holds no ledger")

// prepare makes the tables if they are absent and wanted, and refuses a server
// whose commits are not durable.
func (s *Store) prepare(ctx context.Context, cfg Config) error {
	return s.transaction(ctx, s.writing(), func(t *tx) error {
		tx := t.tx
		if err := s.checkFsync(ctx, tx, "SHOW fsync"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", createLock); err != nil {
			return err
		}
		var exists bool
		if err := tx.QueryRow(ctx, "SELECT to_regclass('ledger_head') IS NOT NULL").Scan(&exists); err != nil {
			return err
		}
		if !exists {
			if !cfg.Create || cfg.ReadOnly {
				return errNoLedger
			}
			s.later, s.units = true, true
			return create(ctx, tx)
		}
		var v int
		err := tx.QueryRow(ctx, "SELECT version FROM ledger_head").Scan(&v)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoHead
		}
		if err != nil {
			return err
		}
		if v < 1 || v > version {
			return fmt.Errorf("the ledger has version %d, this program reads 1 to %d", v, version)
		}
		s.units = v == version
		return s.bring(ctx, tx, cfg.ReadOnly)
	})
}

// bring updates a ledger of an earlier version, for a writer, and checks the writer's
// rights.
func (s *Store) bring(ctx context.Context, tx pgx.Tx, readOnly bool) error {
	const exist = "SELECT to_regclass('ledger_expiring') IS NOT NULL AND to_regclass('ledger_kept') IS NOT NULL"
	if err := tx.QueryRow(ctx, exist).Scan(&s.later); err != nil || readOnly {
		return err
	}
	lacks := ""
	if !s.later {
		lacks += later
	}
	if !s.units {
		lacks += units
	}
	if lacks == "" {
		return s.checkRights(ctx, tx)
	}
	if _, err := tx.Exec(ctx, lacks); err != nil {
		return fmt.Errorf("the ledger is of an earlier version and lacks tables or columns, which this program adds: let the tables' owner open it for writing once, to grant a budget for example (%w)", err)
	}
	s.later, s.units = true, true
	return s.checkRights(ctx, tx)
}

// checkRights checks the rights of deploy/roles.sql. Some would be missed only when an answer
// expires, a day after the service started.
func (s *Store) checkRights(ctx context.Context, tx pgx.Tx) error {
	var rights bool
	if err := tx.QueryRow(ctx, rightsNeeded).Scan(&rights); err != nil {
		return err
	}
	if !rights {
		return errRights
	}
	return nil
}

const rightsNeeded = `SELECT
	(SELECT bool_and(has_table_privilege('ledger_' || t, 'SELECT')) FROM unnest(ARRAY['head', 'entries', 'accounts', 'limits', 'answers', 'expiring', 'kept']) t)
	AND (SELECT bool_and(has_table_privilege('ledger_' || t, 'INSERT')) FROM unnest(ARRAY['entries', 'accounts', 'limits', 'answers', 'expiring', 'kept']) t)
	AND (SELECT bool_and(has_table_privilege('ledger_' || t, 'DELETE')) FROM unnest(ARRAY['answers', 'expiring']) t)
	AND (SELECT bool_and(has_column_privilege('ledger_head', c, 'UPDATE')) FROM unnest(ARRAY['seq', 'time', 'hash']) c)
	AND (SELECT bool_and(has_column_privilege('ledger_accounts', c, 'UPDATE')) FROM unnest(ARRAY['epsilon', 'delta', 'charges', 'unit', 'neighbouring']) c)
	AND (SELECT bool_and(has_column_privilege('ledger_limits', c, 'UPDATE')) FROM unnest(ARRAY['granted_epsilon', 'granted_delta', 'window_number', 'epsilon', 'delta']) c)
	AND has_column_privilege('ledger_kept', 'bytes', 'UPDATE')`

var errRights = errors.New("the user lacks rights that a writer of the ledger needs: let the tables' owner run deploy/roles.sql, which grants them to the role sotto_service")

func create(ctx context.Context, tx pgx.Tx) error {
	var id ledger.Hash
	_, _ = rand.Read(id[:]) // never fails
	head := ledger.NewHead(id)
	_, err := tx.Exec(ctx, schema+later)
	if err == nil {
		_, err = tx.Exec(ctx, "INSERT INTO ledger_head VALUES (1, $1, $2, $3, $4, $5)", version, head.ID[:], head.Seq, head.Time.UnixNano(), head.Hash[:])
	}
	return err
}
