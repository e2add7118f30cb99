package grammar

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/manual"
)

// Configured are the commands whose flags variables of the environment give too. They
// run as services and probes, and release nothing by themselves. A command that releases
// something reads no parameter from the environment, because its command line in a log
// would not say what was run.
var Configured = []string{"serve", "health"}

const variablePrefix = "SOTTO_"

// variableOf returns the variable of a flag or argument of a command.
func variableOf(command *kong.Node, name string) string {
	words := strings.Fields(command.Path())
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(strings.Join(append(words, name), "_"), "-", "_"))
}

// Environment resolves flags from variables. A flag on the command line wins.
type Environment struct {
	Used []string // the variables that gave a value
}

// Validate implements kong.Resolver.
func (e *Environment) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. Its errors name the variable.
func (e *Environment) Resolve(parsed *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	command := parsed.Selected()
	if command == nil || !slices.Contains(Configured, command.Path()) || !slices.Contains(command.Flags, flag) {
		return nil, nil
	}
	name := variableOf(command, flag.Name)
	text, ok := os.LookupEnv(name)
	if !ok {
		return nil, nil
	}
	if text == "" {
		return nil, emptyVariable(name)
	}
	var value any = text
	if flag.IsSlice() {
		list := []any{}
		for _, one := range filepath.SplitList(text) {
			list = append(list, one)
		}
		value = list
	}
	// Kong's own error would not name the variable.
	trial := &kong.DecodeContext{Value: flag.Value, Scan: kong.Scan().PushTyped(value, kong.FlagValueToken)}
	if err := flag.Mapper.Decode(trial, reflect.New(flag.Target.Type()).Elem()); err != nil {
		return nil, fmt.Errorf("the value of %s: %w", name, err)
	}
	e.Used = append(e.Used, name)
	return value, nil
}

// emptyVariable refuses a variable without a value. Its value may be missing by mistake,
// such as a file of keys, and the service would then protect less.
func emptyVariable(name string) error {
	return fmt.Errorf("%s is set, but empty: unset it or give it a value", name)
}

// refuseEmpty refuses flags whose value on the command line is empty, as from a shell
// variable that is not set. If they were ignored, the command would silently protect less:
// for example, it would charge no account.
func refuseEmpty(parsed *kong.Context) error {
	for _, at := range parsed.Path {
		if at.Flag == nil || at.Resolved {
			continue
		}
		v := at.Flag.Target
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		list, _ := v.Interface().([]string)
		if v.Kind() == reflect.String && v.String() == "" || (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 || slices.Contains(list, "") {
			return cli.WrongUsage("leave the flag out, or give it a value", "--%s is empty", at.Flag.Name)
		}
	}
	return nil
}

// check refuses unknown variables with the prefix. An option among them that is misspelt
// would otherwise be ignored, and the service would silently protect less, without its keys
// or its list of words.
func (e *Environment) check(command *kong.Node) error {
	own := VariablesOf(command)
	reads := slices.Contains(Configured, command.Path())
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(strings.ToUpper(name), variablePrefix) {
			continue
		}
		known := slices.Contains(own, name)
		switch {
		case !reads && known:
			return cli.WrongUsage("give the flag on the command line, where a log of it has what was run", "sotto %s does not read %s", command.Path(), name)
		case !reads:
		case known && value == "":
			return &cli.UsageError{Err: emptyVariable(name)}
		case known && ofArgument(command, name):
			e.Used = append(e.Used, name)
		case !known && unknownVariable(command, name, value):
			hint := "sotto help environment lists the variables"
			if near := nearestVariable(command, name); near != "" {
				hint = "did you mean " + near + "?"
			}
			return cli.WrongUsage(hint, "%s is not a variable of %s", name, command.Path())
		}
	}
	return nil
}

// VariablesOf returns the variables of a command's flags and arguments.
func VariablesOf(command *kong.Node) (names []string) {
	for _, f := range command.Flags {
		if f.Name != "help" && !f.Hidden {
			names = append(names, variableOf(command, f.Name))
		}
	}
	if slices.Contains(Configured, command.Path()) {
		for _, argument := range command.Positional {
			names = append(names, argument.Tag.Envs...)
		}
	}
	return names
}

// ConfiguredCommand returns one of the commands that variables configure. The parser of a
// command line has the grammar of its own command alone.
func ConfiguredCommand(name string) *kong.Node {
	model, err := Commands(name)
	if err != nil {
		panic(err) // the grammar is part of the program
	}
	return model.Children[0]
}

// ofArgument reports whether a variable is that of an argument, which Kong itself reads.
func ofArgument(command *kong.Node, name string) bool {
	return slices.ContainsFunc(command.Positional, func(v *kong.Value) bool { return slices.Contains(v.Tag.Envs, name) })
}

// explain adds the variables that were used to an error, which may be of one of their
// values.
func (e *Environment) explain(err error) error {
	if err == nil || len(e.Used) == 0 {
		return err
	}
	return &configuredError{err, e.Used}
}

// configuredError is an error of a command that variables configured.
type configuredError struct {
	err       error
	variables []string
}

func (e *configuredError) Error() string { return e.err.Error() }
func (e *configuredError) Unwrap() error { return e.err }

// note lists the variables, for the message.
func (e *configuredError) note(w io.Writer) {
	fmt.Fprintf(w, "       from the environment: %s\n", strings.Join(e.variables, ", "))
}

// variablesSection is the section of a command's help on its variables.
func variablesSection(command *kong.Node) manual.Section {
	return manual.Section{Title: "Environment", Entries: []manual.Entry{{
		Term:    variableOf(command, "NAME"),
		Meaning: "Value of --name, with _ for -. A flag on the command line wins. An empty variable is refused, and so is an unknown one with SOTTO_. See sotto help environment.",
	}}}
}

// EnvironmentHelp is the topic with the list of all variables.
func EnvironmentHelp() string {
	var b strings.Builder
	b.WriteString(written("environment")())
	for _, name := range Configured {
		fmt.Fprintf(&b, "\nOf sotto %s:\n\n", name)
		for _, variable := range VariablesOf(ConfiguredCommand(name)) {
			fmt.Fprintf(&b, "  %s\n", variable)
		}
	}
	return b.String()
}

// written returns the text of a file of topics.
func written(name string) func() string {
	return func() string {
		data, err := topicFiles.ReadFile(path.Join("topics", name+".txt"))
		if err != nil {
			panic(err) // the files are part of the program
		}
		return string(data)
	}
}
