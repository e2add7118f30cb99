package paths_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/files/paths"
)

// A command must not overwrite its own input, under whatever name.
func ExampleCheck() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	name := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		fmt.Println(err)
		return
	}
	err = paths.Check([]paths.Use{
		{Flag: "the input", Name: name},
		{Flag: "--output", Name: filepath.Join(folder, ".", "notes.txt"), Writes: true},
	})
	_, conflict := err.(*paths.ConflictError)
	fmt.Println(conflict)
	// Output: true
}
