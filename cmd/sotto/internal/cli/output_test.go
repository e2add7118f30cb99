//go:build !windows

package cli

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
		o, err := CreateOutput(t.Context(), &Terminal{Out: os.Stdout, Err: os.Stderr, Writable: map[string]bool{path: true}}, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
		if got := onlyFile(t, dir); got.Mode() != 0o600 || got.Name() == name {
			t.Errorf("half-written, %s is %s with mode %o", name, got.Name(), got.Mode())
		}
		if err := o.Finish(); err != nil {
			t.Fatal(err)
		}
		if got := onlyFile(t, dir); got.Mode() != 0o600 {
			t.Errorf("finished and without its name, %s has mode %o", name, got.Mode())
		}
		if err := o.Commit(); err != nil {
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
