package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/tabledamage"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sotto": main, "parquet": parquetTool})
}

// raced are the stories for the race detector at every change, which makes commands ten times
// slower: of files and folders in parallel, interrupts, a service, a ledger, a corpus. The
// packages that share memory below the command are raced by their own tests. `make race` takes
// all stories.
var raced = []string{"rewrite", "folder", "wholefiles", "records", "serve", "account", "shuffle"}

// The stories in testdata specify the command line.
func TestStories(t *testing.T) {
	var files []string
	large := stage.Runs(stage.Large)
	switch {
	case testing.Short():
		for _, name := range raced {
			files = append(files, filepath.Join("testdata", name+".txtar"))
		}
	case large:
		files = storiesWith(t, "[large]")
	}
	p := testscript.Params{
		Dir: "testdata",
		Condition: func(named string) (bool, error) {
			if named != string(stage.Large) { // of lines that the stage runs alone
				return false, fmt.Errorf("no condition %q", named)
			}
			return large, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "damage": damage, "damage-byte": damageByte, "encode": encode, "lines-of": linesOf},
		Setup: func(env *testscript.Env) error {
			declaration, err := filepath.Abs("../../testdata/declaration")
			if err != nil {
				return err
			}
			env.Setenv("DECLARATION", declaration)
			env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
			env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
			return os.MkdirAll(env.WorkDir+"/.cache", 0o755)
		},
	}
	if files != nil {
		p.Dir, p.Files = "", files
	}
	testscript.Run(t, p)
}

// storiesWith returns the stories that have a text.
func storiesWith(t *testing.T, text string) (with []string) {
	t.Helper()
	all, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		story, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(story), text) {
			with = append(with, path)
		}
	}
	return with
}

// exits runs a command and checks its exit code: exits 2 sotto rewrite.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// damage changes the vectors of a table file and leaves its header: damage FILE.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage FILE")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	ts.Check(tabledamage.Shorten(data))
	ts.Check(os.WriteFile(path, data, 0o600))
}

// damageByte changes the last byte of a file: damage-byte FILE.
func damageByte(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage-byte FILE")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)-1] ^= 1
	ts.Check(os.WriteFile(path, data, 0o600))
}

// linesOf requires that every line of a file is one of another: lines-of FILE OTHER.
func linesOf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines-of FILE OTHER")
	}
	all := strings.Split(ts.ReadFile(args[1]), "\n")
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if !slices.Contains(all, strings.TrimSuffix(line, "\n")) {
			ts.Fatalf("%q is no line of %s", line, args[1])
		}
	}
}
