// Package manual describes commands for people: the pages that help prints, and manual
// pages. Both have one source, the grammar of the command line with its notes.
package manual

import (
	"strings"

	"github.com/alecthomas/kong"
)

// An Example is a command line to copy. Command runs in a shell.
type Example struct {
	Purpose string // what it is for; without a full stop
	Command string
}

// A Code is an exit code and its meaning.
type Code struct {
	Number  int
	Meaning string // without a full stop
}

// Notes hold what the grammar does not contain about a command.
type Notes struct {
	Examples []Example
	Codes    []Code
}

// A Page holds the contents of the help and of the manual page of one command.
type Page struct {
	Name      string // as it is typed: sotto ledger grant
	Purpose   string
	Synopses  []string // one per form of the command line
	Examples  []Example
	Arguments []Entry
	Flags     []Section
	Commands  []Entry
	Codes     []Code
	// Parameters are the flags for parameters of mechanisms. Each mechanism describes its own.
	Parameters []string
}

// A Section has the flags of one group.
type Section struct {
	Title   string
	Entries []Entry
}

// An Entry is a term, such as a flag, with its meaning.
type Entry struct {
	Term, Meaning string
}

// parameters is the key of the group of flags that Page.Parameters replaces.
const parameters = "parameters"

// PageOf returns the page of a command or of the whole program. Flags come in the order
// of groups, and a flag without a group in the last one.
func PageOf(node *kong.Node, groups []kong.Group, notes Notes) Page {
	p := Page{Name: node.FullPath(), Purpose: node.Help, Examples: notes.Examples, Codes: notes.Codes}
	for _, arg := range node.Positional {
		p.Arguments = append(p.Arguments, Entry{argument(arg), arg.Help})
	}
	entries := map[string][]Entry{}
	last := ""
	for _, g := range groups {
		if g.Key != parameters {
			last = g.Key
		}
	}
	for _, f := range flagsOf(node) {
		key := last
		if f.Group != nil {
			key = f.Group.Key
		}
		entries[key] = append(entries[key], Entry{flag(f), f.Help})
	}
	for _, g := range groups {
		if g.Key == parameters {
			for _, e := range entries[g.Key] {
				p.Parameters = append(p.Parameters, e.Term)
			}
		} else if len(entries[g.Key]) > 0 {
			p.Flags = append(p.Flags, Section{g.Title, entries[g.Key]})
		}
	}
	for _, c := range node.Children {
		if !c.Hidden {
			p.Commands = append(p.Commands, Entry{c.Name, c.Help})
		}
	}
	p.Synopses = []string{synopsis(node)}
	return p
}

// flagsOf returns the flags of a command and its parents. Those of the program are on its
// own page only.
func flagsOf(node *kong.Node) (flags []*kong.Flag) {
	for n := node; n != nil && (n == node || n.Parent != nil); n = n.Parent {
		for _, f := range n.Flags {
			if !f.Hidden {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// synopsis returns the form of a command line: sotto rewrite [flags] [FILE ...].
func synopsis(node *kong.Node) string {
	words := []string{node.FullPath()}
	if len(node.Children) > 0 {
		return strings.Join(append(words, "COMMAND", "[flags]"), " ")
	}
	for _, f := range flagsOf(node) {
		if f.Required {
			words = append(words, long(f))
		}
	}
	words = append(words, "[flags]")
	for _, arg := range node.Positional {
		name := argument(arg)
		if !arg.Required {
			name = "[" + name + "]"
		}
		words = append(words, name)
	}
	return strings.Join(words, " ")
}

// argument returns a positional argument as a synopsis shows it.
func argument(v *kong.Value) string {
	name := strings.ToUpper(v.Name)
	if v.IsCumulative() {
		name += " ..."
	}
	return name
}

// flag returns a flag with its short form and the placeholder of its value.
func flag(f *kong.Flag) string {
	if f.Short != 0 {
		return "-" + string(f.Short) + ", " + long(f)
	}
	return "    " + long(f)
}

func long(f *kong.Flag) string {
	switch {
	case f.IsBool() && f.Tag.Negatable != "":
		return "--[no-]" + f.Name
	case f.IsBool():
		return "--" + f.Name
	}
	return "--" + f.Name + " " + f.FormatPlaceHolder()
}
