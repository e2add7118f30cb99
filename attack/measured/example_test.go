package measured_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/attack/measured"
)

// Figures exist for the embedded table only.
func ExampleFind() {
	_, found := measured.Find("neighbours", "the digest of another table", 8)
	fmt.Println(found)
	// Output: false
}
