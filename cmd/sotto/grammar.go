package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// grammar returns a pointer to the part of cli that args can reach: the command that they
// begin with and the global flags, or all of cli if they begin with no command. Kong
// parses the tags of every field it gets, which for all commands takes longer than many
// runs.
func grammar(args []string) any {
	if len(args) > 0 {
		whole := reflect.TypeFor[cli]()
		var reached []reflect.StructField
		found := false
		for i := range whole.NumField() {
			field := whole.Field(i)
			_, command := field.Tag.Lookup("cmd")
			named := command && strings.ToLower(field.Name) == args[0]
			if named || !command {
				reached = append(reached, field)
			}
			found = found || named
		}
		if found {
			return reflect.New(reflect.StructOf(reached)).Interface()
		}
	}
	return new(cli)
}

// refused are the flags that a command has because it shares a struct of flags with
// others, and always refuses.
var refused = map[string][]string{"embed": {"never"}}

// hideRefused leaves those flags out of help, completion and manual pages. A command line
// that has one still gets the reason.
func hideRefused(app *kong.Application) {
	for _, command := range app.Children {
		for _, flag := range command.Flags {
			flag.Hidden = flag.Hidden || slices.Contains(refused[command.Name], flag.Name)
		}
	}
}
