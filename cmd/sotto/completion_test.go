//go:build unix

package main

import (
	"github.com/sotto-dp/sotto/internal/stage"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/complete"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
)

// shellRuns complete one command line, the words of which are arguments, and print a
// candidate per line. zsh completes only in a terminal, which its module zpty provides.
var shellRuns = map[string]string{
	"bash": `source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sotto sotto 2>/dev/null; printf '%s\n' "${COMPREPLY[@]}"`,
	"fish": `source ./script; complete -C (string join ' ' -- $argv) | string replace -r '\t.*' ''; true`,
}

// The scripts complete in the real shells, where these are installed.
func TestCompletionInShells(t *testing.T) {
	stage.Unraced(t)
	tests := []struct {
		words []string
		want  []string
	}{
		{[]string{"sotto", "ledger", "gr"}, []string{"grant"}},
		{[]string{"sotto", "rewrite", "--form"}, []string{"--form", "--format"}},
		{[]string{"sotto", "rewrite", "--format", "jsonl"}, []string{"jsonl"}},
		{[]string{"sotto", "rewrite", "lett"}, []string{"letters.txt"}},
		{[]string{"sotto", "rewrite", "-m", "packi"}, []string{"packing"}},
	}
	for shell, run := range shellRuns {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed", shell)
			continue
		}
		dir := completionFolder(t, shell)
		for _, test := range tests {
			args := append([]string{"-c", run}, test.words...)
			if shell == "bash" {
				args = append([]string{"--norc", "-c", run, "bash"}, test.words...)
			}
			cmd := exec.Command(path, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
			out, err := cmd.Output()
			got := strings.Fields(string(out))
			slices.Sort(got)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s: %q: %q, want %q (%v)", shell, test.words, got, test.want, err)
			}
		}
	}
}

// zshRun types a command line with a tab, and prints the terminal until it shows the
// completed line, which is the last argument.
const zshRun = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='> '; autoload -Uz compinit; compinit -u -d ./dump; source ./script; print REA''DY"
zpty -r shell out '*READY*'
zpty -w -n shell "$1"$'\t'
zpty -r shell out "*$2*"
print -r -- DONE
`

func TestCompletionInZsh(t *testing.T) {
	path, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not installed")
	}
	dir := completionFolder(t, "zsh")
	for typed, want := range map[string]string{
		"sotto ledger gr": "sotto ledger grant", "sotto rewrite --format js": "--format jsonl", "sotto rewrite lett": "letters.txt",
		"sotto rewrite --report=lett": "--report=letters.txt",
	} {
		cmd := exec.Command(path, "-f", "-c", zshRun, "zsh", typed, want)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "ZDOTDIR="+dir)
		cmd.WaitDelay = time.Minute
		kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		out, err := cmd.CombinedOutput()
		kill.Stop()
		if err != nil || !strings.Contains(string(out), "DONE") {
			t.Errorf("%q is not completed to %q: %v %q", typed, want, err, out)
		}
	}
}

// completionFolder returns a folder with a shell's script and a file to complete.
func completionFolder(t *testing.T, shell string) string {
	t.Helper()
	dir := t.TempDir()
	script, err := complete.Script(shell)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"script": script, "letters.txt": "My order is late.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Manual pages are what a strict formatter accepts, where one is installed.
func TestManualPagesAreWellFormed(t *testing.T) {
	stage.Unraced(t)
	model, err := grammar.Commands()
	if err != nil {
		t.Fatal(err)
	}
	pages := grammar.ManualPages(model.Node)
	if len(pages) < 40 {
		t.Fatalf("%d pages", len(pages))
	}
	dir := t.TempDir()
	for name, write := range pages {
		var b strings.Builder
		if err := write(&b, time.Unix(1e9, 0).UTC()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{".Dd September 9, 2001\n", ".Sh NAME\n", ".Sh DESCRIPTION\n"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q", name, want)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip("mandoc is not installed")
	}
	for name := range pages {
		cmd := exec.Command(mandoc, "-Tlint", "-Wwarning", name)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
