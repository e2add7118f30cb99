package files_test

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/beam/files"
)

// Two inputs whose outputs would have the same name are refused before anything runs.
func ExampleCheck() {
	err := files.Check(context.Background(), files.Config{
		Inputs: []string{"raw/monday.jsonl", "raw/monday.jsonl.gz"}, Output: "private",
	})
	fmt.Println(err != nil)
	// Output: true
}
