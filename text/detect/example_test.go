package detect_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/text/detect"
)

// A name has no shape: it is not marked.
func ExamplePatterns() {
	found, err := detect.Patterns([]byte("Anna Miller, anna@example.com, was seen on 17 March 2024."), nil)
	if err != nil {
		panic(err)
	}
	for _, s := range found {
		fmt.Println(s.Type, s.Start, s.End)
	}
	// Output:
	// EMAIL_ADDRESS 13 29
	// DATE 43 56
}
