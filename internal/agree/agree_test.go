// Package agree_test compares the verifier in Python with the program.
package agree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
)

// TestVerifierAgrees makes reports of all units, alters fields of them, and compares the
// verdicts of sotto_verify.py with those of audit --verify. It takes minutes, as each
// document is a run of the program.
func TestVerifierAgrees(t *testing.T) {
	stage.Needs(t, stage.Figures)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("NOT CHECKED: there is no python3")
	}
	program := filepath.Join(t.TempDir(), "sotto")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/sotto")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	agree := exec.CommandContext(t.Context(), python, "../../verify/agree.py", program, "--reports", "500", "--tampered", "2000")
	agree.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := agree.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}
