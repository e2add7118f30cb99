package grammar

import (
	"regexp"
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
