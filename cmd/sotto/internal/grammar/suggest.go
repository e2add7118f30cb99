package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

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
		return &cli.UsageError{Err: err, Hint: "see sotto --help"}
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
		names := flagNames(node)
		near, ok := cli.Nearest(name, names)
		if begins := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, name) }); !ok && len(name) > 1 && len(begins) > 0 {
			near, ok = begins[0], true
		}
		if ok {
			hint = fmt.Sprintf("did you mean --%s?\n       %s", near, hint)
		}
	} else if plain, more := plainFault(fault, node); plain != fault {
		fault = plain
		if more != "" {
			hint = more + "\n       " + hint
		}
	}
	return &cli.UsageError{Err: errors.New(fault), Hint: hint}
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

// plainFault returns a fault of a command line in plain words, with a hint where there is one.
func plainFault(fault string, node *kong.Node) (plain, hint string) {
	for _, k := range kinds {
		if m := k.fault.FindStringSubmatch(fault); m != nil {
			if decimalComma.MatchString(m[2]) {
				hint = "write a decimal point: " + strings.Trim(strings.Replace(m[2], ",", ".", 1), `"`)
			}
			return fmt.Sprintf("%s must be %s, got %s", m[1], k.must, m[2]), hint
		}
	}
	if flag, _, ok := strings.Cut(fault, ": expected "); ok && strings.HasSuffix(fault, `got "EOL" (<EOL>)`) {
		return flag + " needs a value", ""
	}
	if len(node.Children) == 0 {
		return fault, ""
	}
	command := strings.TrimPrefix(strings.TrimPrefix(node.FullPath(), "sotto"), " ")
	if name, ok := strings.CutPrefix(fault, "unexpected argument "); ok {
		if command == "" {
			return fmt.Sprintf("there is no command %q", name), commandHint(name, childNames(node))
		}
		return fmt.Sprintf("%s has no command %q", command, name), cli.DidYouMean(name, childNames(node))
	}
	if strings.HasPrefix(fault, "expected ") {
		if command == "" {
			return "no command was given", "try sotto rewrite --epsilon 8 FILE"
		}
		return fmt.Sprintf("%s needs a command: %s", command, strings.Join(childNames(node), ", ")), ""
	}
	return fault, ""
}
