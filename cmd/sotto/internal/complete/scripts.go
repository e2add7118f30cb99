package complete

import (
	"embed"
	"fmt"
	"slices"
)

// Shells are the shells that have a script.
var Shells = []string{"bash", "zsh", "fish"}

//go:embed scripts
var scripts embed.FS

// Script returns the script of a shell.
func Script(shell string) (string, error) {
	if !slices.Contains(Shells, shell) {
		return "", fmt.Errorf("complete: there is no script for %q", shell)
	}
	data, err := scripts.ReadFile("scripts/sotto." + shell)
	return string(data), err
}

// Files is the line that asks a script to add names of files.
const Files = ":files"
