//go:build unix

package postgres

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/ledgertest"
)

func open(t testing.TB, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// One server for all: starting it is what takes long.
func TestPostgreSQL(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	server := postgrestest.Start(t)
	for _, c := range []struct {
		sentence string
		check    func(t *testing.T, server *postgrestest.Server)
	}{
		{"the store keeps the contract", contract},
		{"a ledger of the first version opens and goes on", aLedgerOfTheFirstVersion},
		{"many may open an empty database at once", manyMayOpenAnEmptyDatabaseAtOnce},
		{"a user with the documented rights can charge", aUserWithTheDocumentedRightsCanCharge},
		{"lost connections lose no charge and make none", lostConnectionsLoseNoChargeAndMakeNone},
		{"a server that dies loses no charge and makes none", aServerThatDiesLosesNoChargeAndMakesNone},
		{"open refuses what keeps no promise", openRefusesWhatKeepsNoPromise},
		{"readers need no read-only session", readersNeedNoReadOnlySession},
		{"without fsync nothing is charged", withoutFsyncNothingIsCharged},
		{"nothing waits for a server that hangs", nothingWaitsForAServerThatHangs},
	} {
		t.Run(c.sentence, func(t *testing.T) { c.check(t, server) })
	}
}

func contract(t *testing.T, server *postgrestest.Server) {
	ledgertest.Run(t, func(t *testing.T) ledgertest.Place {
		address := server.Database(t)
		return ledgertest.Place{
			Open: func(t testing.TB) ledger.Store { return open(t, Config{URL: address, Create: true}) },
			Exec: func(t testing.TB, statement string) { server.Query(t, address, statement) },
			Holds: func(t testing.TB, data []byte) bool {
				for _, table := range []string{"head", "entries", "accounts", "limits", "answers"} {
					// Rows as text: bytea in hexadecimal, text as it is.
					rows := server.Query(t, address, fmt.Sprintf("SELECT r::text FROM ledger_%s r", table))
					if strings.Contains(rows, string(data)) || strings.Contains(rows, hex.EncodeToString(data)) {
						return true
					}
				}
				return false
			},
		}
	})
}

func aLedgerOfTheFirstVersion(t *testing.T, server *postgrestest.Server) {
	address := server.Database(t)
	dump, err := os.ReadFile("testdata/version1.sql")
	if err != nil {
		t.Fatal(err)
	}
	server.Query(t, address, string(dump))
	// A user who may not make tables gets an error that says who can.
	server.Query(t, address, "CREATE ROLE newcomer LOGIN")
	server.Query(t, address, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO newcomer")
	newcomer := strings.Replace(address, "sotto@", "newcomer@", 1)
	if _, err := Open(t.Context(), Config{URL: newcomer}); err == nil || !strings.Contains(err.Error(), "let the tables' owner open it for writing once") {
		t.Errorf("without the right to make tables: %v", err)
	}
	ledgertest.FirstVersion(t, ledgertest.Place{
		Open: func(t testing.TB) ledger.Store { return open(t, Config{URL: address}) },
	}, func(t testing.TB) ledger.Store { return open(t, Config{URL: address, ReadOnly: true}) },
		"36452fbcebc8f1e05ad58855d134705c8e4266636e2d522bf1591e7e44d37d7b")
}

func BenchmarkCharge(b *testing.B) {
	server := postgrestest.Start(b)
	ledgertest.Benchmark(b, func(b *testing.B) ledgertest.Place {
		address := server.Database(b)
		return ledgertest.Place{Open: func(t testing.TB) ledger.Store { return open(t, Config{URL: address, Create: true}) }}
	})
}
