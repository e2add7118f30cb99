package main

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"testing"
)

func TestTwoKillsLeaveTheServiceWhole(t *testing.T) {
	stage.Needs(t, stage.Kills) // kills a service
	said, err := crash(t.Context(), "", 2, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said)
}
