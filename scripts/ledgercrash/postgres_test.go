//go:build unix

package main

import (
	"testing"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func TestThreeKillsLeaveAPostgreSQLLedgerWhole(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	if err := crash(t.Context(), postgrestest.Start(t).Database(t), 3, 2); err != nil {
		t.Error(err)
	}
}
