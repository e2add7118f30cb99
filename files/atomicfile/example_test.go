package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// The file appears with all of its content, or not at all.
func ExampleWriteFile() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	name := filepath.Join(folder, "report.json")
	if err := atomicfile.WriteFile(name, []byte("{}\n")); err != nil {
		fmt.Println(err)
		return
	}
	data, err := os.ReadFile(name)
	fmt.Printf("%q %v\n", data, err)
	// Output: "{}\n" <nil>
}
