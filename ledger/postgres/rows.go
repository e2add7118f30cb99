package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/internal/stored"
	"github.com/sotto-dp/sotto/privacy"
)

type view struct {
	store *Store
	tx    pgx.Tx
}

type tx struct{ view }

// Head reads the one row of the head.
func (v *view) Head(ctx context.Context) (ledger.Head, error) {
	var h ledger.Head
	var id, hash []byte
	var at int64
	ctx, cancel := v.store.soon(ctx)
	defer cancel()
	err := v.tx.QueryRow(ctx, "SELECT id, seq, time, hash FROM ledger_head").Scan(&id, &h.Seq, &at, &hash)
	if errors.Is(err, pgx.ErrNoRows) {
		return h, errNoHead
	}
	if err != nil {
		return h, v.store.wrap(err)
	}
	if len(id) != len(h.ID) || len(hash) != len(h.Hash) {
		return h, &ledger.BrokenError{What: "the head holds no hash"}
	}
	h.ID, h.Time, h.Hash = ledger.Hash(id), time.Unix(0, at).UTC(), ledger.Hash(hash)
	return h, nil
}

var errNoHead = &ledger.BrokenError{What: "the head is missing"}

// each calls scan for every row of a query.
func (v *view) each(ctx context.Context, query string, args []any, scan func(pgx.Rows) error) error {
	ctx, cancel := v.store.soon(ctx)
	defer cancel()
	rows, err := v.tx.Query(ctx, query, args...)
	if err != nil {
		return v.store.wrap(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return v.store.wrap(err)
		}
	}
	return v.store.wrap(rows.Err())
}

// Accounts reads accounts with their limits.
func (v *view) Accounts(ctx context.Context, names []string) (found []ledger.Account, err error) {
	query := v.units("a") + `, a.name, a.basis_table, a.basis_distance, a.epsilon, a.delta, a.charges,
		l.period, l.granted_epsilon, l.granted_delta, l.window_number, l.epsilon, l.delta, `
	if v.store.later {
		query += "coalesce(k.bytes, 0) FROM ledger_accounts a JOIN ledger_limits l ON l.account = a.name LEFT JOIN ledger_kept k ON k.account = a.name "
	} else {
		query += "0::bigint FROM ledger_accounts a JOIN ledger_limits l ON l.account = a.name "
	}
	var args []any
	if names != nil {
		query += "WHERE a.name = ANY($1) AND l.account = ANY($1) "
		args = []any{names}
	}
	err = v.each(ctx, query+"ORDER BY a.name, l.period", args, func(rows pgx.Rows) error {
		var a ledger.Account
		var l ledger.Limit
		var neighbouring int16
		err := rows.Scan((*string)(&a.Party.Unit), &neighbouring, &a.Name, &a.Basis.Table, &a.Basis.Distance, &a.Spent.Epsilon, &a.Spent.Delta, &a.Charges,
			(*int64)(&l.Period), &l.Granted.Epsilon, &l.Granted.Delta, &l.Window, &l.Spent.Epsilon, &l.Spent.Delta, &a.Kept)
		if err != nil {
			return err
		}
		a.Party.Neighbouring = privacy.Relation(neighbouring)
		found = stored.AppendLimit(found, a, l)
		return nil
	})
	return found, err
}

// units begins a query of entries or accounts.
func (v *view) units(table string) string {
	if v.store.units {
		return "SELECT " + table + ".unit, " + table + ".neighbouring"
	}
	return "SELECT '', 0::smallint" // of version 1, opened for reading
}

const entryColumns = `, e.seq, e.time, e.kind, e.account, e.basis_table, e.basis_distance, e.epsilon, e.delta, e.period, e.key, coalesce(e.charge, 0), e.digest, e.hash`

// scanEntry reads entryColumns and what follows them.
func scanEntry(rows pgx.Rows, more ...any) (e ledger.Entry, err error) {
	var at int64
	var kind, neighbouring int16
	var key, digest, hash []byte
	err = rows.Scan(append([]any{(*string)(&e.Party.Unit), &neighbouring, &e.Seq, &at, &kind, &e.Account, &e.Basis.Table, &e.Basis.Distance,
		&e.Amount.Epsilon, &e.Amount.Delta, (*int64)(&e.Period), &key, &e.Charge, &digest, &hash}, more...)...)
	if err != nil {
		return e, err
	}
	e.Time, e.Kind, e.Party.Neighbouring = time.Unix(0, at).UTC(), ledger.Kind(kind), privacy.Relation(neighbouring)
	err = stored.SetHashes(&e, key, digest, hash)
	return e, err
}

func (v *view) entries(ctx context.Context, rest string, args ...any) (found []ledger.Entry, err error) {
	err = v.each(ctx, v.units("e")+entryColumns+" FROM ledger_entries e "+rest, args, func(rows pgx.Rows) error {
		e, err := scanEntry(rows)
		found = append(found, e)
		return err
	})
	return found, err
}

// Keyed reads charges by the digests of their keys.
func (v *view) Keyed(ctx context.Context, keys []ledger.Hash) ([]ledger.Entry, error) {
	return v.entries(ctx, "WHERE e.key = ANY($1)", blobs(keys))
}

// Answers reads answers by their charges.
func (v *view) Answers(ctx context.Context, charges []int64) (found []ledger.Answer, err error) {
	// Said twice, so that even a plan made while the tables were small uses both indexes.
	query := v.units("e") + entryColumns + `, a.sealed FROM ledger_entries e LEFT JOIN ledger_answers a ON a.charge = e.charge AND a.charge = ANY($1)
		WHERE e.charge = ANY($1)`
	err = v.each(ctx, query, []any{charges}, func(rows pgx.Rows) error {
		var a ledger.Answer
		var err error
		a.Entry, err = scanEntry(rows, &a.Sealed)
		found = append(found, a)
		return err
	})
	return found, err
}

// Entries reads a stretch of the chain.
func (v *view) Entries(ctx context.Context, after int64, n int) ([]ledger.Entry, error) {
	return v.entries(ctx, "WHERE e.seq > $1 ORDER BY e.seq LIMIT $2", after, n)
}

// blobs are hashes as one argument, zero ones as NULL.
func blobs(hashes []ledger.Hash) [][]byte {
	b := make([][]byte, len(hashes))
	for i := range hashes {
		if hashes[i] != (ledger.Hash{}) {
			b[i] = hashes[i][:]
		}
	}
	return b
}
