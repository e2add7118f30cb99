// Package agree_test compares the verifier in Python with the program.
package agree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// TestVerifierAgrees makes reports of all units, alters fields of them, and compares the
// verdicts of sotto_verify.py with those of audit --verify. It takes minutes, as each
// document is a run of the program.
func TestVerifierAgrees(t *testing.T) {
	stage.Needs(t, stage.Figures)
	reports, tampered := "100", "400"
	if stage.Runs(stage.Thorough) {
		reports, tampered = "500", "2000"
	}
	python(t, "agree.py", "--reports", reports, "--tampered", tampered)
}

// Both programs refuse documents that are consistent and state what does not hold.
func TestVerifiersRefuseForgeries(t *testing.T) {
	stage.Needs(t, stage.Figures)
	python(t, "forgeries.py")
}

// python runs a program of the folder verify against the program of this checkout.
func python(t *testing.T, name string, args ...string) {
	t.Helper()
	stage.Sources(t, nil, "../../cmd/sotto")
	stage.LooksAt(t, "../../verify/*.py")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: there is no python3")
	}
	program := filepath.Join(t.TempDir(), "sotto")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/sotto")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), python, append([]string{"../../verify/" + name, program}, args...)...)
	run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := run.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// Whoever relies on the verifier reads it: one file of fewer than 900 lines, of the
// standard library alone.
func TestVerifierIsOneShortFileOfTheStandardLibrary(t *testing.T) {
	data, err := os.ReadFile("../../verify/sotto_verify.py")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n >= 900 {
		t.Errorf("it has %d lines", n)
	}
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:import|from) (.*)$`).FindAllStringSubmatch(string(data), -1) {
		names, _, _ := strings.Cut(m[1], " import ")
		found = append(found, strings.Split(names, ", ")...)
	}
	want := []string{"argparse", "decimal", "hashlib", "itertools", "json", "math", "re", "struct", "sys", "fractions", "functools"}
	if !slices.Equal(found, want) {
		t.Errorf("it imports %q, want %q", found, want)
	}
}
