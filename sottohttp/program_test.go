package sottohttp_test

import (
	"os/exec"
	"testing"
)

// The program of the tutorial compiles.
func TestProgramOfTheTutorialCompiles(t *testing.T) {
	if out, err := exec.Command("go", "vet", "./testdata/feedback").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
