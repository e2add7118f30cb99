package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sotto-dp/sotto/internal/stage"
)

// result is the result of one mutant: it is caught if problem and skipped are empty.
type result struct {
	problem string // why it is not caught
	skipped string // why its tests could not run here
	seconds float64
}

func (r result) String() string {
	switch {
	case r.problem != "":
		return "NOT CAUGHT: " + r.problem
	case r.skipped != "":
		return "skipped: " + r.skipped
	}
	return "caught"
}

// runAll tests all mutants. A test counts only if it passes without them.
func runAll(ctx context.Context, root string, mutants []mutant, jobs int, log io.Writer) ([]result, error) {
	clean, err := unchanged(ctx, root, mutants, jobs)
	if err != nil {
		return nil, err
	}
	results := make([]result, len(mutants))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for i, m := range mutants {
		group.Go(func() error {
			start := time.Now()
			r, err := try(ctx, root, m, clean)
			if err != nil {
				return err
			}
			r.seconds = time.Since(start).Seconds()
			results[i] = r
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(log, "%s: %s\n", m.id, r)
			return nil
		})
	}
	return results, group.Wait()
}

// unchanged runs every named test without a mutant, and returns the outcome of
// each package.
func unchanged(ctx context.Context, root string, mutants []mutant, jobs int) (map[string]outcome, error) {
	byPackage := map[string][]string{}
	for _, m := range mutants {
		for _, t := range m.tests {
			byPackage[t.pkg] = append(byPackage[t.pkg], t.names...)
		}
	}
	outcomes := map[string]outcome{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for pkg, names := range byPackage {
		group.Go(func() error {
			slices.Sort(names)
			o, err := test{pkg, slices.Compact(names)}.run(ctx, root, "")
			mu.Lock()
			defer mu.Unlock()
			outcomes[pkg] = o
			return err
		})
	}
	return outcomes, group.Wait()
}

// try tests one mutant. clean holds the outcomes without it.
func try(ctx context.Context, root string, m mutant, clean map[string]outcome) (result, error) {
	skipped := ""
	for _, t := range m.tests {
		for _, name := range t.names {
			switch o := clean[t.pkg]; {
			case o.skipped[name] != "":
				skipped = o.skipped[name]
			case !o.passed[name]:
				return result{problem: name + " fails without the mutant"}, nil
			}
		}
	}
	if skipped != "" {
		return result{skipped: skipped}, nil
	}
	overlay, remove, err := overlay(root, m)
	if err != nil {
		return result{problem: err.Error()}, nil
	}
	defer remove()
	for _, t := range m.tests {
		o, err := t.run(ctx, root, overlay)
		switch {
		case err != nil:
			return result{}, err
		case !o.built:
			return result{problem: "it does not build: " + strings.TrimSpace(o.text)}, nil
		case strings.Contains(o.text, "panic: test timed out"):
			return result{problem: "the tests ran out of time"}, nil
		}
		for _, name := range t.names {
			if !o.failed[name] {
				return result{problem: name + " does not fail"}, nil
			}
		}
	}
	return result{}, nil
}

// overlay writes the mutant's files and what the go command needs to read them in
// place of the sources.
func overlay(root string, m mutant) (path string, remove func(), err error) {
	mutated := tree{root, map[string]string{}}
	for _, e := range m.edits {
		if err := mutated.make(e); err != nil {
			return "", nil, err
		}
	}
	folder, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	replace := map[string]string{}
	for file, source := range mutated.changed {
		at := filepath.Join(root, filepath.FromSlash(file))
		replace[at] = filepath.Join(folder, fmt.Sprintf("%d%s", len(replace), filepath.Ext(at)))
		if err := os.WriteFile(replace[at], []byte(source), 0o600); err != nil {
			remove()
			return "", nil, err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		path = filepath.Join(folder, "overlay.json")
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

// outcome is the result of a run of tests.
type outcome struct {
	built          bool
	passed, failed map[string]bool
	skipped        map[string]string // why, in one line
	text           string
}

// run runs the tests from the module that their package is in.
func (t test) run(ctx context.Context, root, overlay string) (outcome, error) {
	module := filepath.Join(root, filepath.FromSlash(t.pkg))
	for module != root {
		if _, err := os.Stat(filepath.Join(module, "go.mod")); err == nil {
			break
		}
		module = filepath.Dir(module)
	}
	pkg, err := filepath.Rel(module, filepath.Join(root, filepath.FromSlash(t.pkg)))
	if err != nil {
		return outcome{}, err
	}
	// Without paths in compiled packages, the next copy finds them in the build cache.
	args := []string{"test", "-trimpath", "-vet=off", "-json", "-timeout=10m", "-run=^(" + strings.Join(t.names, "|") + ")$"}
	args = append(args, "./"+filepath.ToSlash(pkg))
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = module
	cmd.Env = append(cmd.Environ(), stage.Variable+"="+stage.OfEveryChange())
	if overlay != "" { // in the environment: some tests run the go command themselves
		cmd.Env = append(cmd.Env, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // failures are in the events
	if err := ctx.Err(); err != nil {
		return outcome{}, err
	}
	o := outcome{built: true, passed: map[string]bool{}, failed: map[string]bool{}, skipped: map[string]string{}}
	said := map[string]string{}
	var text strings.Builder
	lines := bufio.NewScanner(&stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var event struct{ Action, Test, Output, FailedBuild string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			continue // not all of the go command's output is events
		}
		text.WriteString(event.Output)
		said[event.Test] += event.Output
		switch {
		case event.Action == "build-fail" || event.FailedBuild != "":
			o.built = false
		case event.Action == "pass":
			o.passed[event.Test] = true
		case event.Action == "fail":
			o.failed[event.Test] = true
		case event.Action == "skip":
			o.skipped[event.Test] = reason(event.Test, said[event.Test])
		}
	}
	text.Write(stderr.Bytes())
	o.text = text.String()
	return o, lines.Err()
}

// reason returns why a test was skipped. Tests that lack a file of the shared folder name
// the variable that leads to it (internal/refdata).
func reason(name, output string) string {
	if strings.Contains(output, "SOTTO_SHARED") {
		return "needs reference data"
	}
	return name + " skips itself here"
}
