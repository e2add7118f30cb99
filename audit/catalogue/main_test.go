package main

import (
	"os"
	"strings"
	"testing"
)

func TestPageOfMechanismsIsUpToDate(t *testing.T) {
	var want strings.Builder
	if err := write(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/reference/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want.String() {
		t.Error("docs/reference/mechanisms.md does not match the catalogue and its audits: run go generate ./audit")
	}
}
