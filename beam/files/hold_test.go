package files

import (
	"path/filepath"
	"strings"
	"testing"
)

// No part of a run is drawn by two processes: shares exclude the whole run, themselves, and shares
// of another number.
func TestShareAndWholeRunExcludeEachOther(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	dir := t.TempDir()
	cfg := config(filepath.Join(dir, "out"), write(t, filepath.Join(dir, "a.txt"), "the food was good\n"))
	cfg.Fields = nil
	begin := func(take, of int, want string) *Begun {
		t.Helper()
		cfg := cfg
		cfg.Take, cfg.Of = take, of
		b, err := Begin(t.Context(), cfg, true)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Fatalf("share %d of %d begins with %v, want %q", take, of, err, want)
		}
		return b
	}
	end := func(all ...*Begun) {
		t.Helper()
		for _, b := range all {
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	const used = "in use by another run"
	first, second := begin(0, 2, ""), begin(1, 2, "")
	begin(0, 2, used)
	begin(1, 2, used)
	begin(0, 3, "take shares of the same number")
	begin(0, 0, used)
	end(second)
	begin(0, 0, used)
	end(first, begin(1, 2, ""))

	whole := begin(0, 0, "")
	begin(0, 2, used)
	if err := Clean(whole.Config); err != nil {
		t.Fatal(err)
	}
	end(whole)
	end(begin(0, 3, ""), begin(2, 3, ""))
}
