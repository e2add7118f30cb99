package opening

import (
	"os"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
)

// Untimed reports whether nobody sees when single texts are drawn: the inputs are whole
// files that nobody is writing to, and one output file appears when everything is drawn.
// A pipe or a terminal shows when each part comes.
func Untimed(output string, files []string) bool {
	if output == "" || cli.IsStdout(output) || cli.IsFolder(output) || cli.Special(output) {
		return false
	}
	for _, name := range files {
		if info, err := os.Stat(name); cli.IsStdin(name) || err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}
