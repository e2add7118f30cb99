//go:build unix

package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
)

// Only its owner reads the list of faults, whatever it replaces.
func TestListOfFaultsIsPrivate(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, data := range map[string]string{"in.jsonl": "{\"a\":\"the order\"}\nsecret\n", "faults": "old"} {
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	term := &cli.Terminal{In: os.Stdin, Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	if _, err := grammar.Invoke(t.Context(), term, []string{"rewrite", "-e", "8", "--field", "a", "--errors", "faults", "-o", "out.jsonl", "in.jsonl"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat("faults")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
}
