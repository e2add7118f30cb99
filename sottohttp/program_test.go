package sottohttp_test

import (
	"os/exec"
	"testing"
)

// The programs of the pages compile.
func TestProgramsOfPagesCompile(t *testing.T) {
	if out, err := exec.Command("go", "vet", "./testdata/feedback", "./testdata/prompts").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
