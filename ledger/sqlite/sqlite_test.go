package sqlite

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

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

// intrude changes a file past the store, and past SQLite's own checks.
func intrude(t testing.TB, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", address(path, "rw", "ignore_check_constraints(1)"))
	if err == nil {
		_, err = db.ExecContext(t.Context(), statement)
		defer db.Close()
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestStoreKeepsTheContract(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) ledgertest.Place {
		path := filepath.Join(t.TempDir(), "a ledger?#%.db") // a name that a careless address would break
		return ledgertest.Place{
			Open: func(t testing.TB) ledger.Store { return open(t, Config{Path: path, Create: true}) },
			Exec: func(t testing.TB, statement string) { intrude(t, path, statement) },
			Holds: func(t testing.TB, data []byte) bool {
				found := false
				for _, end := range []string{"", "-wal", "-shm"} {
					stored, err := os.ReadFile(path + end)
					if err != nil && end == "" {
						t.Fatal(err)
					}
					found = found || bytes.Contains(stored, data)
				}
				return found
			},
		}
	})
}

// On a disk, not in memory: TMPDIR says where.
func BenchmarkCharge(b *testing.B) {
	ledgertest.Benchmark(b, func(b *testing.B) ledgertest.Place {
		path := filepath.Join(b.TempDir(), "ledger.db")
		return ledgertest.Place{Open: func(t testing.TB) ledger.Store { return open(t, Config{Path: path, Create: true}) }}
	})
}
