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
)

// result is what became of one mutant; problem is empty where it was caught.
type result struct {
	problem string
	seconds float64
}

// runAll tests all mutants. A test catches nothing unless it passes without them.
func runAll(ctx context.Context, root string, mutants []mutant, jobs int, log io.Writer) ([]result, error) {
	passing, err := passing(ctx, root, mutants, jobs)
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
			problem, err := try(ctx, root, m, passing)
			if err != nil {
				return err
			}
			results[i] = result{problem, time.Since(start).Seconds()}
			mu.Lock()
			defer mu.Unlock()
			if problem == "" {
				problem = "caught"
			}
			fmt.Fprintf(log, "%s: %s\n", m.id, problem)
			return nil
		})
	}
	return results, group.Wait()
}

// passing runs every test that is named, without a mutant, and returns those that
// pass as "package test".
func passing(ctx context.Context, root string, mutants []mutant, jobs int) (map[string]bool, error) {
	byPackage := map[string][]string{}
	for _, m := range mutants {
		for _, t := range m.tests {
			byPackage[t.pkg] = append(byPackage[t.pkg], t.names...)
		}
	}
	passed := map[string]bool{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for pkg, names := range byPackage {
		group.Go(func() error {
			slices.Sort(names)
			o, err := test{pkg, slices.Compact(names)}.run(ctx, root, "")
			mu.Lock()
			defer mu.Unlock()
			for name := range o.passed {
				passed[pkg+" "+name] = true
			}
			return err
		})
	}
	return passed, group.Wait()
}

// try says why a mutant is not caught; "" where it is.
func try(ctx context.Context, root string, m mutant, passing map[string]bool) (string, error) {
	for _, t := range m.tests {
		for _, name := range t.names {
			if !passing[t.pkg+" "+name] {
				return name + " fails or is skipped without the mutant (is SOTTO_SHARED set?)", nil
			}
		}
	}
	overlay, remove, err := overlay(root, m)
	if err != nil {
		return err.Error(), nil
	}
	defer remove()
	for _, t := range m.tests {
		o, err := t.run(ctx, root, overlay)
		switch {
		case err != nil:
			return "", err
		case !o.built:
			return "it does not build: " + strings.TrimSpace(o.text), nil
		case strings.Contains(o.text, "panic: test timed out"):
			return "the tests ran out of time", nil
		}
		for _, name := range t.names {
			if !o.failed[name] {
				return name + " does not fail", nil
			}
		}
	}
	return "", nil
}

// overlay writes the mutant's files and what the go command needs to read them in
// place of the sources.
func overlay(root string, m mutant) (path string, remove func(), err error) {
	sources := map[string]string{}
	for _, e := range m.edits {
		at := filepath.Join(root, filepath.FromSlash(e.file))
		if sources[at] == "" {
			data, err := os.ReadFile(at)
			if err != nil {
				return "", nil, err
			}
			sources[at] = string(data)
		}
		if sources[at], err = e.apply(sources[at]); err != nil {
			return "", nil, err
		}
	}
	folder, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	replace := map[string]string{}
	for at, source := range sources {
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

// outcome is what a run of tests said.
type outcome struct {
	built          bool
	passed, failed map[string]bool
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
	// Without paths in what is compiled the next copy finds it in the build cache.
	args := []string{"test", "-trimpath", "-vet=off", "-json", "-timeout=10m", "-run=^(" + strings.Join(t.names, "|") + ")$"}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(args, "./"+filepath.ToSlash(pkg))
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = module
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // what failed is in the events
	if err := ctx.Err(); err != nil {
		return outcome{}, err
	}
	o := outcome{built: true, passed: map[string]bool{}, failed: map[string]bool{}}
	var text strings.Builder
	lines := bufio.NewScanner(&stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var event struct{ Action, Test, Output, FailedBuild string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			continue // not all of the go command's output is events
		}
		text.WriteString(event.Output)
		switch {
		case event.Action == "build-fail" || event.FailedBuild != "":
			o.built = false
		case event.Action == "pass":
			o.passed[event.Test] = true
		case event.Action == "fail":
			o.failed[event.Test] = true
		}
	}
	text.Write(stderr.Bytes())
	o.text = text.String()
	return o, lines.Err()
}
