package grammar

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/complete"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

type CompletionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script that completes command lines in a shell.
func (c *CompletionCmd) Run(term *cli.Terminal) error {
	script, err := complete.Script(c.Shell)
	if err == nil {
		_, err = io.WriteString(term.Out, script)
	}
	return err
}

// CompleteCmd is for the scripts of CompletionCmd.
type CompleteCmd struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The words after the name of the program, up to the one to complete."`
}

// Run prints what completes the last word: a candidate per line, with its help after a
// tab.
func (c *CompleteCmd) Run(term *cli.Terminal) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	model, err := Commands(words...)
	if err != nil {
		return err
	}
	list, files := complete.Candidates(model.Node, words, completionValues)
	var b strings.Builder
	for _, one := range list {
		fmt.Fprintf(&b, "%s\t%s\n", one.Value, one.Help)
	}
	if files {
		b.WriteString(complete.Files + "\n")
	}
	_, err = io.WriteString(term.Out, b.String())
	return err
}

// completionValues returns the values of a flag or argument that are known, and whether it
// takes a file.
func completionValues(v *kong.Value) (values []string, files bool) {
	switch {
	case v.Enum != "":
		return slices.DeleteFunc(strings.Split(v.Enum, ","), func(s string) bool { return s == "" }), false
	case v.Name == "mechanism":
		for _, e := range catalog.All() {
			values = append(values, e.Name)
		}
		return values, false
	case v.Name == "format":
		return cli.Formats.Names(), false
	case v.Name == "topic" && v.Flag == nil:
		return append(slices.Sorted(maps.Keys(helpTopics)), commandNames()...), false
	}
	switch v.Tag.Get("path") {
	case cli.PathTable:
		names, _ := embedding.List()
		return append(names, builtin.Name), true
	case cli.PathCorpus:
		names, _ := corpus.List()
		for _, b := range corpus.Builtins() {
			names = append(names, b.Name)
		}
		return names, true
	case "", cli.PathValues:
		return nil, false
	}
	return nil, true
}

// commandNames returns the names of all commands that are not hidden.
func commandNames() (names []string) {
	if model, err := Commands(); err == nil {
		names = childNames(model.Node)
	}
	return names
}
