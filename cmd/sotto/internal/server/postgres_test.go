//go:build unix

package server_test

import (
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/postgres"
)

// One database server for all subtests, since starting it takes long.
func TestServiceOnPostgreSQL(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	database := postgrestest.Start(t)
	opener := func(t *testing.T) (address string, open func() *ledger.Ledger) {
		address = database.Database(t)
		return address, func() *ledger.Ledger {
			store, err := postgres.Open(t.Context(), postgres.Config{URL: address, Create: true})
			if err != nil {
				t.Fatal(err)
			}
			return budgetsOver(t, store, nil)
		}
	}
	// disconnect ends the connections of the service on the server's side.
	disconnect := func(t *testing.T, address string) {
		database.Query(t, address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sotto'")
	}
	disturbed := func(t *testing.T, disturb func(r *running, address string, f *flow)) {
		address, open := opener(t)
		l := open()
		grant(t, l, "alice", "9000000")
		r := start(t, server.Config{Ledger: l})
		r.through(l, func(f *flow) {
			f.succeeds()
			disturb(r, address, f)
			f.succeeds()
		})
	}
	t.Run("of two services one gets the last unit", func(t *testing.T) {
		_, open := opener(t)
		race(t, open)
	})
	t.Run("a lost connection answers 503 and the next one works", func(t *testing.T) {
		disturbed(t, func(r *running, address string, f *flow) {
			r.eventually("a request fails", func() bool {
				disconnect(t, address)
				return f.failed.Load() > 8
			})
		})
	})
	t.Run("a database that dies and comes back", func(t *testing.T) {
		disturbed(t, func(r *running, _ string, f *flow) {
			database.Crash(t)
			f.fails()
			r.unavailable(r.rewrite(paid))
			r.ask("GET", "/readyz", "").want(t, 503, "")
			r.ask("GET", "/healthz", "").want(t, 200, "")
			database.Restart(t)
		})
	})
	t.Run("a database that became read-only and was mended", func(t *testing.T) {
		disturbed(t, func(r *running, address string, f *flow) {
			writable := address + "&options=-c%20default_transaction_read_only%3Doff"
			become := func(action string) {
				database.Query(t, writable, "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' "+action+"'; END $$")
				disconnect(t, address)
			}
			become("SET default_transaction_read_only = on")
			f.fails()
			r.unavailable(r.rewrite(paid))
			accountOf(t, r, "alice") // the account can still be read
			become("RESET default_transaction_read_only")
		})
	})
}
