package grammar

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// kinds replaces Go's names of types in Kong's errors of values.
var kinds = []struct {
	fault *regexp.Regexp
	must  string
}{
	{regexp.MustCompile(`^(.+): expected a float but got (".*?")(?: \(.*\))?$`), "a number"},
	{regexp.MustCompile(`^(.+): expected an? (?:valid \d+ bit )?int but got (".*?")(?: \(.*\))?$`), "a whole number"},
	{regexp.MustCompile(`^(.+): expected a valid \d+ bit uint but got (".*?")$`), "a whole number, 0 or more"},
	{regexp.MustCompile(`^(.+): expected duration but got (".*?")(?:: .*)?$`), "a time such as 30s or 5m"},
}

var decimalComma = regexp.MustCompile(`^"\d+,\d+"$`)

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
			return fmt.Sprintf("there is no command %q", name), cli.DidYouMean(name, childNames(node))
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
