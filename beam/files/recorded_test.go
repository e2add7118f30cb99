package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Records may be published: those of two equal inputs, and of two attempts at one, show no
// equality. A record of before, which did, is refused.
func TestRecordsDoNotShowEqualInputs(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	cfg := config(out)
	cfg.Fields = nil
	for _, name := range []string{"a.txt", "b.txt"} {
		cfg.Inputs = append(cfg.Inputs, write(t, filepath.Join(dir, name), "the food was good\n"))
	}
	digests := map[string]bool{}
	run := func(count int) {
		t.Helper()
		if err := pipeline(cfg); err != nil {
			t.Fatal(err)
		}
		for _, in := range cfg.Inputs {
			k, err := cfg.open(t.Context(), part{File: in})
			if err != nil || k.record == nil {
				t.Fatalf("%s has no record (%v)", in, err)
			}
			digests[k.record.Input] = true
		}
		if len(digests) != count {
			t.Errorf("%d digests, want %d", len(digests), count)
		}
	}
	run(2)
	run(2) // nothing is drawn
	if err := os.Remove(filepath.Join(out, "a-000000.txt")); err != nil {
		t.Fatal(err)
	}
	cfg.Again = true
	run(3)

	name := filepath.Join(out, recordsFolder, "a-000000.txt.json")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, strings.Replace(string(data), `"version":2,`, "", 1))
	if err := pipeline(cfg); err == nil || !strings.Contains(err.Error(), "is not a part record of this version") {
		t.Errorf("a record of before ends with %v", err)
	}
}
