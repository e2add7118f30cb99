package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// build builds sotto of a commit, or of the working tree for "", into file.
func build(commit, file string) error {
	folder := "."
	if commit != "" {
		folder = file + ".tree"
		if out, err := exec.Command("git", "worktree", "add", "--detach", folder, commit).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", commit, err, out)
		}
		defer exec.Command("git", "worktree", "remove", "--force", folder).Run()
	}
	// Equal packages of both trees are compiled once with -trimpath.
	cmd := exec.Command("go", "build", "-trimpath", "-o", file, "./cmd/sotto")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w: %s", commit, err, out)
	}
	return nil
}

// differ runs the record with both builds and describes the first difference, or returns "".
func (r record) differ(before, after string) string {
	old, err := r.run(before)
	if err != nil {
		return err.Error()
	}
	now, err := r.run(after)
	if err != nil {
		return err.Error()
	}
	if failed := failedStep(old); (failed == "") == strings.HasSuffix(r.name, refusedMark) {
		return fmt.Sprintf("  the record shows nothing: %q failed before", failed)
	}
	var names []string
	for name := range old {
		names = append(names, name)
	}
	for name := range now {
		if _, ok := old[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		a, had := old[name]
		b, has := now[name]
		if had != has {
			return fmt.Sprintf("  %s: there before: %v, now: %v", name, had, has)
		}
		if !bytes.Equal(a, b) {
			return fmt.Sprintf("  %s:\n%s", name, firstDifference(a, b))
		}
	}
	return ""
}

// failedStep returns the error of a step that did not exit with 0.
func failedStep(came map[string][]byte) string {
	for name, code := range came {
		if step, ok := strings.CutSuffix(name, "code"); ok && string(code) != "0" {
			return fmt.Sprintf("%s%.200s", step, came[step+"stderr"])
		}
	}
	return ""
}

func firstDifference(a, b []byte) string {
	before, after := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range max(len(before), len(after)) {
		var x, y string
		if i < len(before) {
			x = before[i]
		}
		if i < len(after) {
			y = after[i]
		}
		if x != y {
			return fmt.Sprintf("    line %d\n    - %.300q\n    + %.300q", i+1, x, y)
		}
	}
	return ""
}

// changing is what two runs of one build may print differently: measured times, and random names.
var changing = regexp.MustCompile(`"(seconds|run|key|time|at|granted|period_end|last)": ?("[^"]*"|[0-9.e+-]+)`)

// run returns everything that the steps of a record print and write: a file's name, "stdout", "stderr" or "code"
// of a step, and its bytes.
func (r record) run(program string) (map[string][]byte, error) {
	folder, err := os.MkdirTemp("", "record")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	inputs := r.inputs()
	for name, data := range inputs {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	came := map[string][]byte{}
	for i, step := range r.steps {
		var out, errs bytes.Buffer
		cmd := exec.Command(program, strings.Fields(step)...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &errs
		cmd.Stdin = bytes.NewReader(inputs["lines.txt"])
		cmd.Env = append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+filepath.Join(folder, ".cache"),
			"XDG_DATA_HOME="+filepath.Join(folder, ".data"), "XDG_CONFIG_HOME="+filepath.Join(folder, ".config"))
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		at := fmt.Sprintf("step %d ", i+1)
		came[at+"code"] = fmt.Append(nil, cmd.ProcessState.ExitCode())
		came[at+"stdout"] = bytes.ReplaceAll(changing.ReplaceAll(out.Bytes(), nil), []byte(folder), nil)
		came[at+"stderr"] = bytes.ReplaceAll(errs.Bytes(), []byte(folder), nil)
	}
	return came, read(folder, inputs, came)
}

// read adds the files that were written, except for caches, unseeded draws, ledgers, which hold times, and
// records of folder runs, which hold random names.
func read(folder string, inputs, came map[string][]byte) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if strings.HasPrefix(entry.Name(), ".") && name != "." {
				return fs.SkipDir
			}
			return nil
		}
		if _, ok := inputs[name]; ok || strings.HasPrefix(name, "ledger.") || strings.HasPrefix(name, "random.") || filepath.Base(name) == "sotto-run.jsonl" {
			return nil
		}
		came[name], err = os.ReadFile(path)
		return err
	})
}
