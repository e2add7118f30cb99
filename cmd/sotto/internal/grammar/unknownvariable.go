package grammar

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// otherVariables are the variables with the prefix that no command's flag has. The
// program reads the first, the Python package the second, corpus write the third, and the
// project's tests the others.
var otherVariables = []string{
	variablePrefix + "HOME", variablePrefix + "BINARY", variablePrefix + "WRITE_KEY",
	variablePrefix + "SHARED", variablePrefix + "FRESH_SEEDS", variablePrefix + "SLOW", variablePrefix + "STAGES", variablePrefix + "SCREENSHOTS",
}

// unknownVariable reports whether nothing explains a variable that is set while a
// configured command runs. The operator then probably means an option of the command.
func unknownVariable(command *kong.Node, name, value string) bool {
	if slices.Contains(otherVariables, name) || serviceLink(command, name, value) {
		return false
	}
	return !slices.ContainsFunc(Configured, func(other string) bool {
		return slices.Contains(VariablesOf(ConfiguredCommand(other)), name)
	})
}

// link matches the variables in which Kubernetes gives a container the addresses of the
// services of its namespace: those named sotto and sotto-NAME.
var link = regexp.MustCompile(`^` + variablePrefix + `(?:[A-Z0-9_]+?_)??(?:(SERVICE_HOST)|SERVICE_PORT(?:_[A-Z0-9_]+)?|(PORT(?:_[0-9]+_(?:TCP|UDP|SCTP))?)|PORT_[0-9]+_(?:TCP|UDP|SCTP)_(?:PROTO|PORT|ADDR))$`)

// serviceLink reports whether a variable is a service link of Kubernetes. A name or value
// that an option could have is not one: SOTTO_SERVE_PORT, or SOTTO_PORT with a number.
func serviceLink(command *kong.Node, name, value string) bool {
	parts := link.FindStringSubmatch(name)
	switch {
	case parts == nil || strings.HasPrefix(name, variableOf(command, "")):
		return false
	case parts[1] != "":
		_, err := netip.ParseAddr(value)
		return err == nil
	case parts[2] != "":
		return strings.Contains(value, "://")
	}
	return true
}

// nearestVariable returns the variable that an unknown one is probably meant as, "" if
// none is near.
func nearestVariable(command *kong.Node, name string) string {
	variables := append(VariablesOf(command), otherVariables[0])
	option := func(variable string) string {
		rest := strings.TrimPrefix(strings.ToUpper(variable), variablePrefix)
		return strings.ToLower(strings.TrimLeft(strings.TrimPrefix(rest, strings.ToUpper(command.Name)), "_"))
	}
	var options []string
	for _, variable := range variables {
		options = append(options, option(variable))
	}
	given := option(name)
	if near, ok := cli.Nearest(given, options); ok {
		return variables[slices.Index(options, near)]
	}
	// A longer form, such as KEYFILE or REWRITE_NEVER.
	at := slices.IndexFunc(options, func(o string) bool {
		return strings.HasPrefix(given, strings.TrimSuffix(o, "s")) || strings.HasSuffix(given, "_"+o)
	})
	if at < 0 {
		return ""
	}
	return variables[at]
}
