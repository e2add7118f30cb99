package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Where the packages that scripts/python needs cannot be installed, nothing is checked. It
// reports that, and fails in CI.
func TestPythonIsNotPassedUncheckedInCI(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	tools := t.TempDir()
	for _, name := range []string{"apt-get", "sudo", "no-python"} {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for ci, fails := range map[string]bool{"true": true, "": false, "false": false} {
		script := exec.CommandContext(t.Context(), bash, filepath.Join("..", "python"))
		script.Env = append(os.Environ(), "CI="+ci, "PYTHON="+filepath.Join(tools, "no-python"), "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := script.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if (err != nil) != fails || !strings.Contains(string(out), "NOT CHECKED") {
			t.Errorf("CI=%q: %v\n%s", ci, err, out)
		}
	}
}
