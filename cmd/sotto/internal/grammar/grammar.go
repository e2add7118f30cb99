// Package grammar reads command lines: it knows the commands that the program defines, their
// help, completion and variables, and how an error is reported. No command has another.
package grammar

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// whole is a struct with a field for each command, and values are those of placeholders in
// help texts. The program defines both when it starts.
var (
	whole  reflect.Type
	values func() kong.Vars
)

// Define sets the command line of the program.
func Define(commands reflect.Type, placeholders func() kong.Vars) {
	whole, values = commands, placeholders
}

// grammar returns a pointer to the part of the command line that args can reach: the
// command that they begin with and the global flags, these alone for the version, or
// everything if they begin with something else. Kong parses the tags of every field it gets,
// which for all commands takes longer than many runs.
func grammar(args []string) any {
	if len(args) > 0 {
		var reached []reflect.StructField
		found := false
		for i := range whole.NumField() {
			field := whole.Field(i)
			_, command := field.Tag.Lookup("cmd")
			named := command && strings.ToLower(field.Name) == args[0]
			if named || !command {
				reached = append(reached, field)
			}
			found = found || named || len(args) == 1 && args[0] == "--version"
		}
		if found {
			return reflect.New(reflect.StructOf(reached)).Interface()
		}
	}
	return reflect.New(whole).Interface()
}

// Refused are the flags that a command has because it shares a struct of flags with
// others, and always refuses.
var Refused = map[string][]string{"embed": {"never"}}

// hideRefused leaves those flags out of help, completion and manual pages. A command line
// that has one still gets the reason.
func hideRefused(app *kong.Application) {
	for _, command := range app.Children {
		for _, flag := range command.Flags {
			flag.Hidden = flag.Hidden || slices.Contains(Refused[command.Name], flag.Name)
		}
	}
}

// newParser returns a parser of the part of the grammar that args can reach.
func newParser(args []string, term *cli.Terminal, options ...kong.Option) (*kong.Kong, error) {
	parser, err := kong.New(grammar(args), append(options,
		kong.Name("sotto"),
		kong.Description("Rewrites text under differential privacy, and proves its guarantees."),
		values(),
		asGiven,
		kong.ExplicitGroups(FlagGroups),
		kong.Writers(term.Out, term.Err),
		kong.Bind(term),
	)...)
	if err == nil {
		hideRefused(parser.Model)
	}
	return parser, err
}
