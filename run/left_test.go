package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What is left of a run is what others may have: a whole output gets its name and counts, and
// an interrupted one is removed.
func TestOutputsThatAreNotNamedAgain(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	folder := t.TempDir()
	l := begin(t, folder, `{}`, false)
	defer closed(t, l)
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256([]byte("private"))
	for _, output := range []string{"named.txt", "interrupted.txt", "unnamed.txt", "whole.txt"} {
		a := next(t, l, output, "digest of "+output)
		if output != "interrupted.txt" {
			a.Whole = &Whole{SHA256: hex.EncodeToString(sum[:]), Counts: json.RawMessage(`"` + output + `"`)}
		}
		put(t, l, a)
		if output == "whole.txt" {
			write(output, "private")
		} else if output != "named.txt" {
			write(a.Temporary, "private")
		}
	}
	for range 2 {
		whole, err := l.Left(t.Context(), []string{"named.txt", "new.txt"})
		if err != nil || len(whole) != 2 || string(whole[0].Counts) != `"unnamed.txt"` || string(whole[1].Counts) != `"whole.txt"` {
			t.Fatalf("%d outputs, %v", len(whole), err)
		}
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.txt*"))
	if err != nil || len(found) != 2 {
		t.Errorf("%v, %v", found, err)
	}
	if hidden, _ := filepath.Glob(filepath.Join(folder, ".*")); len(hidden) != 0 {
		t.Errorf("%v stay", hidden)
	}

	write("whole.txt", "changed")
	var refused *Refusal
	if _, err := l.Left(t.Context(), nil); !errors.As(err, &refused) || refused.Remedy != PutBack {
		t.Errorf("a changed output: %v", err)
	}
}
