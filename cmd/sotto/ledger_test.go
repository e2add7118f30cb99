//go:build unix

package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func TestLedgerStoriesOnPostgreSQL(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	server := postgrestest.Start(t)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/postgres",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("LEDGER", server.Database(t))
			return nil
		},
	})
}
