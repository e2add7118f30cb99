// Package complete completes command lines in shells. A shell asks the program for the
// candidates of one word; the scripts of this package make bash, zsh and fish ask.
package complete

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A Candidate is one way to complete a word.
type Candidate struct {
	Value string
	Help  string // one line; may be empty
}

// Values returns the values of a flag or argument, and whether names of files are too.
type Values func(v *kong.Value) (values []string, files bool)

// Candidates completes the last of words, which follow the name of the program. files
// reports that names of files complete it too.
func Candidates(root *kong.Node, words []string, of Values) (list []Candidate, files bool) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	at := position{node: root}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	defer func() {
		list = slices.DeleteFunc(list, func(c Candidate) bool { return !strings.HasPrefix(c.Value, last) })
	}()
	name, _, inline := strings.Cut(last, "=")
	switch {
	case at.pending != nil:
		values, files := of(at.pending)
		return candidates("", values), files
	case strings.HasPrefix(last, "--") && inline && !at.ended:
		if f := at.flag(name); f != nil {
			values, files := of(f.Value)
			return candidates(name+"=", values), files
		}
		return nil, false
	case strings.HasPrefix(last, "-") && !at.ended:
		return at.flags(), false
	}
	for _, child := range at.node.Children {
		if !child.Hidden {
			list = append(list, Candidate{child.Name, child.Help})
		}
	}
	if v := at.argument(); v != nil {
		values, more := of(v)
		list, files = append(list, candidates("", values)...), more
	}
	return list, files
}

func candidates(prefix string, values []string) (list []Candidate) {
	for _, v := range values {
		list = append(list, Candidate{Value: prefix + v})
	}
	return list
}

// position is the command and flags that the words so far select.
type position struct {
	node      *kong.Node
	pending   *kong.Value // the flag whose value comes next
	arguments int
	ended     bool // by --: no flag follows
}

// pass consumes one word.
func (p *position) pass(word string) {
	switch {
	case p.pending != nil:
		p.pending = nil
	case word == "--":
		p.ended = true
	case strings.HasPrefix(word, "-") && word != "-" && !p.ended:
		if f := p.flag(word); f != nil && !f.IsBool() && !f.IsCounter() {
			p.pending = f.Value
		}
	default:
		for _, child := range p.node.Children {
			if child.Name == word {
				p.node = child
				return
			}
		}
		p.arguments++
	}
}

// flag returns the flag that is typed as word, nil if there is none. A short flag with
// its value in the same word is none.
func (p *position) flag(word string) *kong.Flag {
	for _, level := range p.node.AllFlags(true) {
		for _, f := range level {
			if word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

func (p *position) flags() (list []Candidate) {
	for _, level := range p.node.AllFlags(true) {
		for _, f := range level {
			list = append(list, Candidate{"--" + f.Name, f.Help})
		}
	}
	return list
}

// argument returns the next positional argument, nil if no more are taken.
func (p *position) argument() *kong.Value {
	n := len(p.node.Positional)
	switch {
	case p.arguments < n:
		return p.node.Positional[p.arguments]
	case n > 0 && p.node.Positional[n-1].IsCumulative():
		return p.node.Positional[n-1]
	}
	return nil
}
