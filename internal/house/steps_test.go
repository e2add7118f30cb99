package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A check that passed is left out while its inputs stay; one that failed, or said that it could
// not run, is not.
func TestChecksAreRepeatedWhenTheirInputsChange(t *testing.T) {
	folder := t.TempDir()
	steps, err := os.ReadFile("scripts/steps")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"scripts/steps": string(steps), "in/a": "1", "other": "1"} {
		write(t, filepath.Join(folder, name), text)
	}
	bash := func(script string, env ...string) string {
		cmd := exec.Command("bash", "-c", "set -euo pipefail; . scripts/steps; "+script)
		cmd.Dir = folder
		cmd.Env = append(append(os.Environ(), "SOTTO_CHECKS="+filepath.Join(folder, "kept"), "CHECK_ALL="), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "failed: " + string(out)
		}
		return string(out)
	}
	bash("git init -q")
	for _, c := range []struct {
		change, script, env string
		runs                bool
	}{
		{script: "once x in -- echo ran", runs: true},
		{script: "once x in -- echo ran"},
		{script: "once x in -- echo ran", env: "CHECK_ALL=1", runs: true},
		{change: "other", script: "once x in -- echo ran"},
		{change: "in/a", script: "once x in -- echo ran", runs: true},
		{change: "in/new", script: "once x in -- echo ran", runs: true},
		{script: "once x in =text -- echo ran", runs: true},
		{script: "once y in -- echo 'NOT RUN: ran'", runs: true},
		{script: "once y in -- echo 'NOT RUN: ran'", runs: true},
		{script: "once z in -- bash -c 'echo ran; false'", runs: true},
		{script: "once z in -- bash -c 'echo ran; false'", runs: true},
	} {
		if c.change != "" {
			write(t, filepath.Join(folder, c.change), "2")
		}
		out := bash(c.script, c.env)
		if strings.Contains(out, "ran") != c.runs {
			t.Errorf("%s %s after a change of %q: %q", c.env, c.script, c.change, out)
		}
		if strings.Contains(c.script, "false") != strings.HasPrefix(out, "failed: ") {
			t.Errorf("%s: %q", c.script, out)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
