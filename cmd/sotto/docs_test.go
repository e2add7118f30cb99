package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// pages are the documents whose commands run from top to bottom, in one folder.
var pages = []string{"howto/attack", "howto/corpus", "howto/language", "howto/synthesize", "howto/texts", "reference/units"}

func TestCommandsOfPages(t *testing.T) {
	dir := t.TempDir()
	for _, name := range pages {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		commands := "set -e\n"
		for line := range strings.Lines(string(page)) {
			if command, ok := strings.CutPrefix(line, "    "); ok {
				commands += command
			}
		}
		if strings.Count(commands, "sotto ") < 5 {
			t.Fatalf("docs/%s.md has no commands", name)
		}
		// Runs say what was done and warn; anything else on standard error is a fault.
		story := fmt.Sprintf("exec sh -c 'sh commands.sh 2>messages'\n! exec grep -v -e '^sotto: done: ' -e '^sotto: warning: ' messages\n-- commands.sh --\n%s", commands)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)+".txtar"), []byte(story), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(env *testscript.Env) error {
		env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/.config")
		env.Setenv("XDG_CACHE_HOME", env.WorkDir+"/.cache")
		return nil
	}})
}
