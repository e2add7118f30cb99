package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// The files of a new member compile in the catalogue, and its own test passes.
func TestNewMemberPassesItsTest(t *testing.T) {
	stage.Needs(t, stage.Documents)
	real, err := filepath.Abs(filepath.Join("..", "..", folder))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"response.go", "response_test.go", "response.md", "catalog.go"} {
		data, err := os.ReadFile(filepath.Join(real, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := write(dir, "two-coins"); err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for _, name := range []string{"two-coins.go", "two-coins_test.go", "catalog.go"} {
		replace[filepath.Join(real, name)] = filepath.Join(dir, name)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	overlay := filepath.Join(dir, "overlay.json")
	if err == nil {
		err = os.WriteFile(overlay, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-v", "-overlay", overlay, "-run", "^TestTwoCoins", real).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if want := "--- PASS: TestTwoCoinsKeepsAWordWithItsChance"; !strings.Contains(string(out), want) {
		t.Errorf("the test of the member did not run: %s", out)
	}
}
