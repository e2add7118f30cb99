//go:build unix

package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/ledger/postgres"
)

// The rights that deploy/roles.sql grants suffice for the service and for the auditor,
// and let neither change past entries.
func TestServiceRunsWithTheRightsOfItsRole(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	database := postgrestest.Start(t)
	owner := database.Database(t)
	as := func(role string) string { return strings.Replace(owner, "sotto@", role+"@", 1) }
	open := func(address string, create, readOnly bool) *ledger.Ledger {
		t.Helper()
		store, err := postgres.Open(t.Context(), postgres.Config{URL: address, Create: create, ReadOnly: readOnly})
		if err != nil {
			t.Fatal(err)
		}
		return budgetsOver(t, store, nil)
	}
	grant(t, open(owner, true, false), "alice", "100")
	database.Query(t, owner, "CREATE ROLE sotto_service LOGIN")
	database.Query(t, owner, "CREATE ROLE sotto_auditor LOGIN")
	// Before the grants there are no rights.
	if _, err := postgres.Open(t.Context(), postgres.Config{URL: as("sotto_service")}); err == nil {
		t.Error("a role without rights opens the ledger")
	}
	rights, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "deploy", "roles.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // it can run twice
		database.Query(t, owner, string(rights))
	}

	r := start(t, server.Config{Ledger: open(as("sotto_service"), true, false)})
	r.ask("GET", "/readyz", "").want(t, 200, "")
	const paid = `{"texts":["my doctor"],"epsilon":1,"account":"alice"}`
	first := r.rewrite(paid, "Idempotency-Key", uuid).want(t, 200, "")
	if again := r.rewrite(paid, "Idempotency-Key", uuid).want(t, 200, ""); again.body != first.body {
		t.Error("a retry gets another answer")
	}
	r.rewrite(paid).want(t, 200, "")
	r.rewrite(inScope(scopeName, eight), "Idempotency-Key", strings.Replace(uuid, "0", "1", 1)).want(t, 200, "")
	if a := accountOf(t, r, "alice"); a.Spent.Epsilon != 2+2+8 {
		t.Errorf("%+v", a)
	}
	if v, err := open(as("sotto_auditor"), false, true).Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges < 10 {
		t.Errorf("%+v %v", v, err)
	}

	// may reports whether a role may execute a statement.
	may := func(role, statement string) bool {
		t.Helper()
		c, err := pgx.Connect(t.Context(), as(role))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		tx, err := c.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }()
		_, err = tx.Exec(t.Context(), statement)
		if err != nil && !strings.Contains(err.Error(), "permission denied") && !strings.Contains(err.Error(), "must be owner") {
			t.Errorf("%s, as %s: %v", statement, role, err)
		}
		return err == nil
	}
	for _, role := range []string{"sotto_service", "sotto_auditor"} {
		for _, statement := range []string{
			"UPDATE ledger_entries SET epsilon = 0", "DELETE FROM ledger_entries", "TRUNCATE ledger_entries", "DROP TABLE ledger_entries", "ALTER TABLE ledger_entries DROP COLUMN hash",
			"DELETE FROM ledger_head", "UPDATE ledger_head SET id = id", "UPDATE ledger_head SET version = 1", "DELETE FROM ledger_accounts", "UPDATE ledger_accounts SET name = 'bob'",
			"UPDATE ledger_accounts SET basis_table = ''", "DELETE FROM ledger_limits", "UPDATE ledger_limits SET account = 'bob'", "UPDATE ledger_answers SET sealed = ''",
			"TRUNCATE ledger_answers", "DELETE FROM ledger_kept", "CREATE TABLE other (a int)", "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
			"CREATE TRIGGER t BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
		} {
			if may(role, statement) {
				t.Errorf("%s may %s", role, statement)
			}
		}
		if !may(role, "SELECT * FROM ledger_entries") {
			t.Errorf("%s may not read: the test shows nothing", role)
		}
	}
	for _, statement := range []string{
		"INSERT INTO ledger_entries SELECT seq + 1000000, time, kind, account, basis_table, basis_distance, epsilon, delta, period, NULL, NULL, digest, hash, unit, neighbouring FROM ledger_entries",
		"UPDATE ledger_head SET seq = 0", "UPDATE ledger_accounts SET epsilon = 0", "DELETE FROM ledger_answers",
	} {
		if may("sotto_auditor", statement) {
			t.Errorf("the auditor may %s", statement)
		}
	}
}
