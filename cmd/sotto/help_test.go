package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The help of every command has its parts in order: examples, flags by group, exit codes.
// It lists each flag once, and the flags of mechanisms only as a pointer.
func TestHelpOfEveryCommand(t *testing.T) {
	stage.Unraced(t)
	own := map[string]bool{}
	for _, leaf := range modelFor(t).Leaves(true) {
		var b strings.Builder
		if err := grammar.WriteHelp(&b, leaf); err != nil {
			t.Fatal(err)
		}
		help := b.String()
		at := -1
		for _, title := range []string{"Usage: ", "Examples\n", "Privacy\n", "Input\n", "Output\n", "Budget\n", "Advanced\n", "Exit codes\n"} {
			i := strings.Index(help, "\n"+title)
			if title == "Usage: " {
				i = strings.Index(help, title)
			}
			if needed := title == "Usage: " || title == "Examples\n" || title == "Exit codes\n"; i < 0 && needed {
				t.Errorf("%s: no %q", leaf.Path(), title)
			} else if i >= 0 && i < at {
				t.Errorf("%s: %q comes too early", leaf.Path(), title)
			}
			at = max(at, i)
		}
		for _, f := range leaf.Flags {
			listed := strings.Contains(help, "--"+f.Name) || strings.Contains(help, "--[no-]"+f.Name)
			parameter := f.Group != nil && f.Group.Key == "parameters"
			if own[f.Name] = own[f.Name] || parameter; !listed && !f.Hidden {
				t.Errorf("%s: --%s is not listed", leaf.Path(), f.Name)
			}
			if parameter && strings.Contains(help, "\n      --"+f.Name+" ") && !slices.Contains(flagsOutside(leaf), f.Name) {
				t.Errorf("%s: --%s is described: what it means depends on the mechanism", leaf.Path(), f.Name)
			}
		}
		for _, line := range strings.Split(help, "\n") {
			if len(line) > 80 && !strings.HasPrefix(line, "  sotto ") {
				t.Errorf("%s: a line of %d characters: %s", leaf.Path(), len(line), line)
			}
		}
	}
	if len(own) < 20 {
		t.Errorf("%d flags of mechanisms", len(own))
	}
}

// flagsOutside returns the flags of a command that are not parameters of mechanisms.
func flagsOutside(n *kong.Node) (names []string) {
	for _, f := range n.Flags {
		if f.Group != nil && f.Group.Key != "parameters" {
			names = append(names, f.Name)
		}
	}
	return names
}

// A flag that a command always refuses is not in its help.
func TestHelpLeavesOutRefusedFlags(t *testing.T) {
	for command, flags := range grammar.Refused {
		for _, flag := range flags {
			var out, messages bytes.Buffer
			term := &cli.Terminal{In: os.Stdin, Out: &out, Err: &messages}
			if code, err := grammar.Invoke(t.Context(), term, []string{command, "--help"}); code != 0 || strings.Contains(out.String(), "--"+flag) {
				t.Errorf("sotto %s --help lists --%s (%d, %v)", command, flag, code, err)
			}
			_, err := grammar.Invoke(t.Context(), term, []string{command, "--epsilon=8", "--" + flag + "=default", "help_test.go"})
			if code := grammar.Report(&messages, err); code != cli.ExitUsage || !strings.Contains(messages.String(), "sotto: --"+flag+" ") {
				t.Errorf("sotto %s --%s: exit code %d\n%s", command, flag, code, messages.String())
			}
		}
	}
}
