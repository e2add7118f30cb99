package main

import (
	"os"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// On file systems whose names are bytes a file is read and written under its own name.
func TestNamesOfFilesAreBytes(t *testing.T) {
	stage.Unraced(t)
	t.Chdir(t.TempDir())
	const in, out = "caf\xe9.txt", "sal\xf3n.txt"
	if err := os.WriteFile(in, []byte("a text\n"), 0o600); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	mustRun(t, "rewrite -q --epsilon 4 -o "+out+" "+in)
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
	if names, err := os.ReadDir("."); err != nil || len(names) != 2 {
		t.Errorf("%v (%v)", names, err)
	}
}
