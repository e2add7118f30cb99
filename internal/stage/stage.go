// Package stage keeps tests out of `go test ./...` that cost much more than they tell at
// every change: those that compile for other platforms, kill processes, start a database,
// run the commands of documents, or compute shipped figures again. `.ci/run` runs every
// stage (`go run ./scripts/stage`) but the last, which `make check-all` adds.
package stage

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Name is a stage.
type Name string

// The stages.
const (
	Platforms Name = "platforms" // compiles for other platforms, or runs under an emulator
	Kills     Name = "kills"     // kills processes, or waits for them to be killed
	Postgres  Name = "postgres"  // starts PostgreSQL
	Documents Name = "documents" // runs the commands of documents and of help
	Figures   Name = "figures"   // computes shipped or printed figures again
	Proofs    Name = "proofs"    // builds the proofs, and compares with what is extracted from them
	Large     Name = "large"     // statistics and searches over whole tables and corpora
	Thorough  Name = "thorough"  // larger sizes of what every change is checked with in a smaller one
)

// All are the stages, in the order in which they run.
var All = []Name{Platforms, Kills, Postgres, Documents, Figures, Proofs, Large, Thorough}

// OfEveryChange are the stages that `.ci/run` runs, as [Variable] has them.
func OfEveryChange() string {
	var names []string
	for _, s := range All {
		if s != Thorough {
			names = append(names, string(s))
		}
	}
	return strings.Join(names, ",")
}

// Variable names the environment variable with the stages to run, separated by commas.
// Every runs them all.
const (
	Variable = "SOTTO_STAGES"
	Every    = "all"
)

// Runs reports whether a stage runs. A test asks it that checks a part at every change and the rest in
// the stage.
func Runs(name Name) bool {
	run := strings.Split(os.Getenv(Variable), ",")
	return slices.Contains(run, string(name)) || slices.Contains(run, Every)
}

// Needs skips a test, loudly, where its stage does not run.
func Needs(t testing.TB, name Name) {
	t.Helper()
	if !Runs(name) {
		t.Skipf("SKIPPED HERE: a test of the stage %s (go run ./scripts/stage %s)", name, name)
	}
}

// Unraced skips a test under the race detector, unless all tests are raced (`make race`): one
// that computes in one goroutine, or whose goroutines other tests of the packages race.
// The detector makes such a test ten times as long and has nothing to find in it.
func Unraced(t testing.TB) {
	t.Helper()
	if raced && testing.Short() {
		t.Skip("not raced at every change (make race)")
	}
}
