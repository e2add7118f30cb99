package main

import "testing"

func TestTwoKillsLeaveTheServiceWhole(t *testing.T) {
	said, err := crash(t.Context(), "", 2, 16, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(said)
}
