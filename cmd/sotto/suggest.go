package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// nearest returns the candidate with the fewest edits from name, if it is close enough to
// be meant: one edit in three bytes.
func nearest(name string, candidates []string) (string, bool) {
	if len(name) < 3 {
		return "", false
	}
	best, at := 1+len(name)/3, ""
	for _, c := range candidates {
		if e := edits(strings.ToLower(name), c); e < best || e == best && at == "" && strings.HasPrefix(c, name) {
			best, at = e, c
		}
	}
	return at, at != ""
}

// edits returns the number of bytes to insert, remove, replace, or swap with the next one
// (the optimal string alignment distance).
func edits(a, b string) int {
	var before, row []int // of the first i-1 and i bytes of a
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := range len(a) {
		before, row, next = row, next, make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return next[len(b)]
}

// didYouMean returns a hint, empty if no candidate is close.
func didYouMean(name string, candidates []string) string {
	if c, ok := nearest(name, candidates); ok {
		return fmt.Sprintf("did you mean %q?", c)
	}
	return ""
}

// parseError returns the error of a command line that cannot be parsed, with a hint. Kong
// offers names that only begin alike: its offers are replaced by near names.
func parseError(err error) error {
	fault := err.Error()
	fault, _, _ = strings.Cut(fault, ", did you mean ")
	node := (*kong.Node)(nil)
	if p, ok := err.(*kong.ParseError); ok && p.Context != nil {
		if node = p.Context.Selected(); node == nil {
			node = p.Context.Model.Node
		}
	}
	if node == nil {
		return &usageError{err: err, hint: "see sotto --help"}
	}
	if quoted, ok := strings.CutPrefix(fault, `expected "<`); ok {
		// Positional arguments: `"<word> ..."` is shown as in help, WORD.
		names := strings.NewReplacer("<", "", ">", "", " ...", "", `"`, "").Replace(quoted)
		fault = fmt.Sprintf("%s needs a %s", strings.TrimPrefix(node.FullPath(), "sotto "), strings.ToUpper(names))
	}
	hint := fmt.Sprintf("see %s --help", node.FullPath())
	if node.Type == kong.ApplicationNode {
		hint = "see sotto help"
	}
	if taken, _, ok := strings.Cut(fault, " (short flag); perhaps try "); ok {
		// A value that begins with a dash: `--flag: expected KIND value but got "-1"`.
		flag, value, _ := strings.Cut(taken, ": expected ")
		_, value, _ = strings.Cut(value, ` but got "`)
		value = strings.TrimSuffix(value, `"`)
		fault = fmt.Sprintf("%s needs a value, and %s is read as a flag", flag, value)
		hint = fmt.Sprintf("if it is the value, write %s=%s", flag, value)
	} else if name, ok := strings.CutPrefix(fault, "unknown flag --"); ok {
		if near, ok := nearest(name, flagNames(node)); ok {
			hint = fmt.Sprintf("did you mean --%s?\n       %s", near, hint)
		}
	} else if plain, more := plainFault(fault, node); plain != fault {
		fault = plain
		if more != "" {
			hint = more + "\n       " + hint
		}
	}
	return &usageError{err: errors.New(fault), hint: hint}
}

func flagNames(node *kong.Node) (names []string) {
	for _, level := range node.AllFlags(true) {
		for _, f := range level {
			names = append(names, f.Name)
		}
	}
	return names
}

func childNames(node *kong.Node) (names []string) {
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}
