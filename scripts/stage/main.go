// Command stage runs the tests that `go test ./...` leaves to stages of `.ci/run`: those that
// call stage.Needs, and with all their parts those that ask stage.Runs. It finds them in the source. A test of a stage that skips because of the stage
// fails the run, and so does a stage without tests.
//
//	go run ./scripts/stage               # all stages
//	go run ./scripts/stage figures kills # some
//	go run ./scripts/stage -list         # the tests of each
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/stage"
)

func main() {
	list := flag.Bool("list", false, "print the tests and run none")
	flag.Parse()
	if err := run(*list, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

func run(list bool, names []string) error {
	stages := stage.All
	if len(names) > 0 {
		stages = nil
		for _, n := range names {
			if !slices.Contains(stage.All, stage.Name(n)) {
				return fmt.Errorf("no stage %q (have %v)", n, stage.All)
			}
			stages = append(stages, stage.Name(n))
		}
	}
	found, err := find(".")
	if err != nil {
		return err
	}
	var failed []string
	for _, s := range stages {
		if len(found[s]) == 0 {
			return fmt.Errorf("the stage %s has no test", s)
		}
		for _, p := range found[s] {
			fmt.Printf("%s: %s %s\n", s, p.folder, strings.Join(p.tests, " "))
			if !list && !p.run(s) {
				failed = append(failed, fmt.Sprintf("%s of %s", p.folder, s))
			}
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// run runs the tests and reports whether none failed or was skipped by its stage.
func (p tests) run(s stage.Name) bool {
	cmd := exec.Command("go", "test", "-timeout=45m", "-v", "-run=^("+strings.Join(p.tests, "|")+")$", "./"+p.folder)
	cmd.Env = append(os.Environ(), stage.Variable+"="+string(s))
	out, err := cmd.CombinedOutput()
	ok := err == nil && !strings.Contains(string(out), "SKIPPED HERE: a test of the stage "+string(s)+" ")
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if !ok || strings.HasPrefix(line, "ok ") || strings.Contains(line, "SKIP") || strings.HasPrefix(line, "--- ") {
			fmt.Println(line)
		}
	}
	return ok
}
