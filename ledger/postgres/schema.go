package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/sotto-dp/sotto/ledger"
)

const version = 1

// createLock keeps two instances from making the tables at once.
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
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);
CREATE UNIQUE INDEX ledger_keys ON ledger_entries (key) WHERE key IS NOT NULL;
CREATE UNIQUE INDEX ledger_charges ON ledger_entries (charge) WHERE charge IS NOT NULL;
CREATE TABLE ledger_accounts (
  name text PRIMARY KEY,
  basis_table text NOT NULL,
  basis_distance text NOT NULL,
  epsilon bigint NOT NULL,
  delta bigint NOT NULL,
  charges bigint NOT NULL
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

var errNoLedger = errors.New("the database holds no ledger")

// prepare makes the tables where they are absent and asked for, and refuses a
// server that does not keep what it committed.
func (s *Store) prepare(ctx context.Context, make bool) error {
	var fsync string
	if err := s.pool.QueryRow(ctx, "SHOW fsync").Scan(&fsync); err != nil {
		return err
	}
	if fsync != "on" {
		return errors.New("the server runs with fsync off: a charge might be lost")
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", createLock); err != nil {
			return err
		}
		var exists bool
		if err := tx.QueryRow(ctx, "SELECT to_regclass('ledger_head') IS NOT NULL").Scan(&exists); err != nil {
			return err
		}
		if !exists {
			if !make {
				return errNoLedger
			}
			return create(ctx, tx)
		}
		var v int
		if err := tx.QueryRow(ctx, "SELECT version FROM ledger_head").Scan(&v); err != nil {
			return err
		}
		if v != version {
			return fmt.Errorf("the ledger has version %d, this program reads %d", v, version)
		}
		return nil
	})
}

func create(ctx context.Context, tx pgx.Tx) error {
	var id ledger.Hash
	_, _ = rand.Read(id[:]) // never fails
	head := ledger.NewHead(id)
	_, err := tx.Exec(ctx, schema)
	if err == nil {
		_, err = tx.Exec(ctx, "INSERT INTO ledger_head VALUES (1, $1, $2, $3, $4, $5)", version, head.ID[:], head.Seq, head.Time.UnixNano(), head.Hash[:])
	}
	return err
}
