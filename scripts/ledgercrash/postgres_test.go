//go:build unix

package main

import (
	"testing"

	"github.com/sotto-dp/sotto/internal/postgrestest"
)

func TestThreeKillsLeaveAPostgreSQLLedgerWhole(t *testing.T) {
	if err := crash(t.Context(), postgrestest.Start(t).Database(t), 3, 2); err != nil {
		t.Error(err)
	}
}
