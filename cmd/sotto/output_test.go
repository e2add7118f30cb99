//go:build !windows

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// What a killed run left of an output is removed by the next run of it, and a link that
// leads nowhere is refused and stays.
func TestOutputLeavesNoRemainsAndReplacesNoLink(t *testing.T) {
	dir := t.TempDir()
	in, out, link := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.txt"), filepath.Join(dir, "link")
	left, other := filepath.Join(dir, ".out.txt.sotto-123"), filepath.Join(dir, ".in.txt.sotto-123")
	for _, name := range []string{in, left, other} {
		if err := os.WriteFile(name, []byte("the film was good\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code := run([]string{"rewrite", "-e", "8", "-o", out, in}); code != 0 {
		t.Fatalf("the run ends with %d", code)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a killed run left is there")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error("what is left of another file is removed")
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), link); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{{"rewrite", "-e", "8", "-o", link, in}, {"rewrite", "-e", "8", "-o", out, "--report", link, in}} {
		if code := run(args); code != cli.ExitUsage {
			t.Errorf("%v ends with %d", args, code)
		}
	}
	if to, err := os.Readlink(link); err != nil || filepath.Base(to) != "nowhere" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
}
