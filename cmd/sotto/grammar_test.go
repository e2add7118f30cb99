package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/grammar"
	"github.com/sotto-dp/sotto/internal/stage"
)

// The part of the grammar for one command equals that command in the whole grammar: the
// same subcommands, flags, arguments, defaults and help.
func TestGrammarOfOneCommandIsThatOfAll(t *testing.T) {
	stage.Unraced(t)
	whole := modelFor(t)
	if len(whole.Children) < 10 {
		t.Fatalf("only %d commands", len(whole.Children))
	}
	for _, want := range whole.Children {
		part := modelFor(t, want.Name, "--help")
		if len(part.Children) != 1 {
			t.Errorf("%s: %d commands", want.Name, len(part.Children))
			continue
		}
		if got, want := describe(part.Children[0]), describe(want); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if got, want := flagsOf(part.Node), flagsOf(whole.Node); got != want {
			t.Errorf("%s: flags of the program:\n%s\nwant\n%s", want, got, want)
		}
	}
}

// Arguments that begin with no command reach all commands.
func TestGrammarWithoutACommandIsAll(t *testing.T) {
	stage.Unraced(t)
	all := len(modelFor(t).Children)
	for _, args := range [][]string{{"--help"}, {"rewriter"}, {"Rewrite"}, {"versions"}, {""}, {"--version", "rewrite"}} {
		if got := len(modelFor(t, args...).Children); got != all {
			t.Errorf("%q: %d commands, want %d", args, got, all)
		}
	}
	if got := len(modelFor(t, "--version").Children); got != 0 { // it is printed sooner without them
		t.Errorf("the version needs %d commands", got)
	}
}

func modelFor(t *testing.T, args ...string) *kong.Application {
	t.Helper()
	model, err := grammar.Commands(args...)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// describe lists the flags and arguments of a command and its subcommands.
func describe(n *kong.Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v %q %q %s\n%s", n.FullPath(), n.Type, n.Help, n.Detail, n.Summary(), flagsOf(n))
	for _, p := range n.Positional {
		fmt.Fprintf(&b, "  %s %q %+v\n", p.Summary(), p.Help, *p.Tag)
	}
	for _, child := range n.Children {
		b.WriteString(describe(child))
	}
	return b.String()
}

func flagsOf(n *kong.Node) string {
	var b strings.Builder
	for _, f := range n.Flags {
		fmt.Fprintf(&b, "  %s %q %q %v\n", f.Summary(), f.Help, f.Default, f.Hidden)
	}
	return b.String()
}
