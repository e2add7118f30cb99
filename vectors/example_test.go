package vectors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sotto-dp/sotto/vectors"
)

// Real tables need millions of words. Four texts show the call.
func ExampleTrain() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	corpus := func(yield func([]byte, error) bool) {
		for _, text := range []string{"the doctor is late", "the nurse is late", "the train is slow", "the bus is slow"} {
			if !yield([]byte(text), nil) {
				return
			}
		}
	}
	trained, err := vectors.Train(context.Background(), corpus, vectors.Options{
		Name: "example", Dimensions: 2, Least: 1, Temporary: filepath.Join(folder, "example"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trained.Texts, "texts,", trained.Tokens, "tokens")
	// Output: 4 texts, 16 tokens
}
