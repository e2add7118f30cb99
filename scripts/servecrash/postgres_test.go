//go:build unix

package main

import (
	"testing"

	"github.com/sotto-dp/sotto/internal/postgrestest"
	"github.com/sotto-dp/sotto/internal/stage"
)

func TestTwoKillsLeaveTheServiceWholeOnPostgreSQL(t *testing.T) {
	stage.Needs(t, stage.Postgres) // starts PostgreSQL
	said, err := crash(t.Context(), postgrestest.Start(t).Database(t), 2, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said)
}
