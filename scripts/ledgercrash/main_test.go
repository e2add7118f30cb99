package main

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"os"
	"slices"
	"testing"
)

// The victim is this test binary.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-child") {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestThreeKillsLeaveTheLedgerWhole(t *testing.T) {
	stage.Needs(t, stage.Kills) // kills processes that charge
	if err := crash(t.Context(), "", 3, 1); err != nil {
		t.Error(err)
	}
}
