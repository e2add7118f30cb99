// Package house holds the rules of the project as tests: which package may import which, where names may be
// written, how long functions are, what pages must link to. They read the sources and run none of them, so they are
// apart from the tests of the packages, whose results stay cached while only sources elsewhere change.
package house

import (
	"fmt"
	"os"
	"testing"
)

// The rules name paths from the root of the module.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
