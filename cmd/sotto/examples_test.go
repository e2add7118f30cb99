//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/internal/writing/modeltest"
)

// exampleOrder lists the commands whose examples write what others read, in order. The
// examples of all other commands are run after them.
var exampleOrder = []string{"rewrite", "synthesize", "learn", "train language-model", "train autoencoder", "embeddings import", "corpus build", "key add", "ledger grant"}

// Every command that is not hidden has two examples. They run as they are shown, in a
// folder with the files that they name. serve runs until it is ready, and health runs
// meanwhile.
func TestExamplesOfHelpRun(t *testing.T) {
	stage.Needs(t, stage.Documents) // runs about 60 commands
	dir := t.TempDir()
	files, err := txtar.ParseFile("testdata/help/examples.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files.Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left := map[string]bool{}
	for _, leaf := range modelFor(t).Leaves(true) {
		left[leaf.Path()] = true
		if n := len(grammar.Examples[leaf.Path()]); n != 2 {
			t.Errorf("%s has %d examples in examples.go, want 2", leaf.Path(), n)
		}
	}
	for path := range grammar.Examples {
		if path != "" && !left[path] {
			t.Errorf("examples of %q, which is no command", path)
		}
	}
	run := func(path string) {
		delete(left, path)
		for _, e := range grammar.Examples[path] {
			if !strings.HasPrefix(e.Command, strings.TrimSpace("sotto "+path)+" ") && e.Command != "sotto "+path && path != "" {
				t.Errorf("%s: the example %q is of another command", path, e.Command)
			}
			if out, err := example(t, dir, e.Command).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", e.Command, err, out)
			}
		}
	}
	delete(left, "serve")
	delete(left, "health")
	delete(left, "corpus write")
	for _, e := range grammar.Examples["corpus write"] {
		writeExample(t, dir, e.Command)
	}
	for _, path := range exampleOrder {
		run(path)
	}
	for path := range left {
		run(path)
	}
	run("")
	for _, e := range grammar.Examples["serve"] {
		serveExample(t, dir, e.Command)
	}
}

// example returns a command of an example, run by a shell in dir.
func example(t *testing.T, dir, line string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "sh", "-c", "exec "+line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SOTTO_HOME="+filepath.Join(dir, "home"), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	return cmd
}

// writeExample runs a command that asks a model, for fewer texts, and with a server of the
// test's own in place of the model's.
func writeExample(t *testing.T, dir, line string) {
	t.Helper()
	model := modeltest.Start(t, nil)
	line = strings.NewReplacer("http://127.0.0.1:8080/v1", model.URL, "20000", "40").Replace(line)
	if out, err := example(t, dir, line).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// serveExample starts the service on a free port, checks it as the examples of health do,
// and stops it.
func serveExample(t *testing.T, dir, line string) {
	t.Helper()
	cmd := example(t, dir, line+" --listen 127.0.0.1:0")
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := bufio.NewScanner(pipe)
	var serving struct{ Address string }
	if !log.Scan() || json.Unmarshal(log.Bytes(), &serving) != nil || serving.Address == "" {
		t.Errorf("%s: the log begins with %s", line, log.Bytes())
	}
	for _, e := range grammar.Examples["health"] {
		own := strings.TrimSuffix(e.Command, " http://127.0.0.1:8080") + " http://" + serving.Address
		if out, err := example(t, dir, own).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", own, err, out)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	for log.Scan() {
	}
	_ = cmd.Wait()
}
