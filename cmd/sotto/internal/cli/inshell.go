package cli

import (
	"regexp"
	"strings"
)

var plainWord = regexp.MustCompile(`^[\p{L}\p{N}_@%+=:,./-]+$`)

// InShell returns a word as a command line of a shell has it, for messages that say what to run.
func InShell(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
