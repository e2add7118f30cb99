//go:build !windows

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Only the owner may read an output before it is whole, whatever its form.
func TestHalfWrittenOutputIsForItsOwnerAlone(t *testing.T) {
	for _, name := range []string{"out.txt", "out.csv.gz", "out.jsonl.zst", "out.parquet", "out.npy"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		o, err := createOutput(t.Context(), &terminal{out: os.Stdout, err: os.Stderr, writable: map[string]bool{path: true}}, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
		if got := onlyFile(t, dir); got.Mode() != 0o600 || got.Name() == name {
			t.Errorf("half-written, %s is %s with mode %o", name, got.Name(), got.Mode())
		}
		if err := o.finish(); err != nil {
			t.Fatal(err)
		}
		if got := onlyFile(t, dir); got.Mode() != 0o600 {
			t.Errorf("finished and without its name, %s has mode %o", name, got.Mode())
		}
		if err := o.commit(); err != nil {
			t.Fatal(err)
		}
		if got := onlyFile(t, dir); got.Mode()&^0o644 != 0 || got.Name() != name {
			t.Errorf("%s is %s with mode %o", name, got.Name(), got.Mode())
		}
	}
}

func onlyFile(t *testing.T, dir string) fs.FileInfo {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files are in the folder (%v)", len(entries), err)
	}
	info, err := entries[0].Info()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

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
		if code := run(args); code != exitUsage {
			t.Errorf("%v ends with %d", args, code)
		}
	}
	if to, err := os.Readlink(link); err != nil || filepath.Base(to) != "nowhere" {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
}
