package detect_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/text/detect"
)

// A name has no shape: it is not marked.
func ExamplePatterns() {
	for _, s := range detect.Patterns([]byte("Anna Miller, anna@example.com, was seen on 17 March 2024.")) {
		fmt.Println(s.Type, s.Start, s.End)
	}
	// Output:
	// EMAIL_ADDRESS 13 29
	// DATE 43 56
}
