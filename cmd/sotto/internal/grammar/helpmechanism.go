package grammar

import (
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/manual"
	"github.com/sotto-dp/sotto/mechanism"
)

// mechanismHelp prints what a mechanism is and its parameters.
func mechanismHelp(w io.Writer, e mechanism.Entry, width int) error {
	page := manual.Page{
		Name: e.Name, Purpose: e.Summary,
		Synopses: []string{"sotto COMMAND -m " + e.Name + " -e E [flags]"},
		Flags: []manual.Section{{Title: "Properties", Entries: []manual.Entry{
			{Term: "Guarantee", Meaning: string(e.Notion)},
			{Term: "Standing", Meaning: e.Standing.String()},
			{Term: "Used for", Meaning: strings.Join(usesOf(e), ", ")},
			{Term: "Paper", Meaning: e.Paper},
		}}},
	}
	var flags []manual.Entry
	for _, p := range e.Parameters {
		flags = append(flags, parameterHelp(p))
	}
	if len(flags) > 0 {
		page.Flags = append(page.Flags, manual.Section{Title: "Parameters", Entries: flags})
	}
	return page.Text(w, width)
}

// parameterHelp describes one parameter as its flag.
func parameterHelp(p mechanism.Parameter) manual.Entry {
	return manual.Entry{
		Term:    "--" + p.Name + " " + strings.ToUpper(p.Kind.String()),
		Meaning: fmt.Sprintf("%s: %s (default: %s).", p.Help, p.Must(), p.Default),
	}
}

// usesOf returns what a mechanism can be opened for.
func usesOf(e mechanism.Entry) (uses []string) {
	if e.New != nil {
		uses = append(uses, "words")
	}
	if e.NewPerturber != nil {
		uses = append(uses, "vectors")
	}
	if e.NewRetriever != nil {
		uses = append(uses, "whole texts")
	}
	if e.NewLatent != nil {
		uses = append(uses, "texts through a model")
	}
	return uses
}
