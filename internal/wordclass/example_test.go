package wordclass_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/internal/wordclass"
)

// Prepositions are a closed class. Nouns are not.
func ExampleClosed() {
	_, closed := wordclass.Closed("of")
	_, open := wordclass.Closed("nurse")
	fmt.Println(closed, open)
	// Output: true false
}
