// Command stage runs the tests that `go test ./...` leaves to stages of `.ci/run`: those that
// call stage.Needs, and with all their parts those that ask stage.Runs. It finds them in the
// source. A test of a stage that skips because of the stage fails the run, and so does a stage
// without tests.
//
//	go run ./scripts/stage               # all stages; the thorough one with CHECK_ALL=1
//	go run ./scripts/stage figures kills # some
//	go run ./scripts/stage -but proofs   # all others
//	go run ./scripts/stage -list         # the tests of each
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/sotto-dp/sotto/internal/stage"
)

func main() {
	list := flag.Bool("list", false, "print the tests and run none")
	but := flag.Bool("but", false, "run all stages but those that are named")
	flag.Parse()
	if err := run(*list, *but, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(1)
	}
}

func run(list, but bool, names []string) error {
	stages, err := chosen(but, names, os.Getenv("CHECK_ALL") == "1")
	if err != nil {
		return err
	}
	found, err := find(".")
	if err != nil {
		return err
	}
	var alone, beside []job
	for _, s := range stages {
		if len(found[s]) == 0 {
			return fmt.Errorf("the stage %s has no test", s)
		}
		for _, p := range found[s] {
			fmt.Printf("%s: %s %s\n", s, p.folder, strings.Join(p.tests, " "))
			if s == stage.Kills || s == stage.Postgres {
				alone = append(alone, job{s, p})
			} else {
				beside = append(beside, job{s, p})
			}
		}
	}
	if list {
		return nil
	}
	// Most tests compute on one processor, so packages run beside each other, whatever their stage,
	// except where kills and time limits are tested.
	if failed := append(all(alone, 1), all(beside, runtime.NumCPU())...); len(failed) > 0 {
		return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
	}
	return nil
}

// chosen returns the stages that are named, or without names all; but turns the choice around.
func chosen(but bool, names []string, thorough bool) (stages []stage.Name, err error) {
	for _, n := range names {
		if !slices.Contains(stage.All, stage.Name(n)) {
			return nil, fmt.Errorf("no stage %q (have %v)", n, stage.All)
		}
		stages = append(stages, stage.Name(n))
	}
	if len(names) > 0 && !but {
		return stages, nil
	}
	return slices.DeleteFunc(slices.Clone(stage.All), func(s stage.Name) bool {
		return slices.Contains(stages, s) || s == stage.Thorough && !thorough
	}), nil
}

// job is the tests of a stage in one package.
type job struct {
	of stage.Name
	tests
}

// all runs jobs, and returns those that failed.
func all(jobs []job, beside int) (failed []string) {
	var (
		group errgroup.Group
		one   sync.Mutex
	)
	group.SetLimit(beside)
	for _, j := range jobs {
		group.Go(func() error {
			ok, out := j.run()
			one.Lock()
			defer one.Unlock()
			fmt.Printf("%s: %s\n%s", j.of, j.folder, out)
			if !ok {
				failed = append(failed, fmt.Sprintf("%s of %s", j.folder, j.of))
			}
			return nil
		})
	}
	_ = group.Wait() // no job returns an error
	return failed
}

// run runs the tests and reports whether none failed or was skipped by its stage, and what to print.
func (j job) run() (bool, string) {
	arguments := []string{"test", "-vet=off", "-timeout=45m", "-v", "-run=^(" + strings.Join(j.tests.tests, "|") + ")$", "./" + j.folder}
	if j.programs {
		arguments = append(arguments, "-count=1")
	}
	cmd := exec.Command("go", arguments...)
	runs := string(j.of)
	if j.of == stage.Thorough { // its tests belong to other stages too, in a smaller size
		runs = stage.Every
	}
	cmd.Env = append(os.Environ(), stage.Variable+"="+runs)
	out, err := cmd.CombinedOutput()
	if s := string(out); err == nil && strings.Contains(s, "(cached)") && strings.Contains(s, "NOT CHECKED") {
		// A program was missing, which may be here now.
		again := exec.Command("go", append(arguments, "-count=1")...)
		again.Env = cmd.Env
		out, err = again.CombinedOutput()
	}
	ok := err == nil && !strings.Contains(string(out), "SKIPPED HERE: a test of the stage "+string(j.of)+" ")
	var shown strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		if !ok || strings.HasPrefix(line, "ok ") || strings.Contains(line, "SKIP") || strings.HasPrefix(line, "--- ") {
			fmt.Fprintln(&shown, line)
		}
	}
	return ok, shown.String()
}
