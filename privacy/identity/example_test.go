package identity_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy/identity"
)

// Two files of a release are identified together, in any order.
func ExampleDrawn_Plus() {
	of := func(texts ...string) identity.Drawn {
		var t identity.Tally
		for _, text := range texts {
			t.AddText([]byte(text))
		}
		return t.Drawn()
	}
	whole := of("the river", "a house by the sea", "my doctor")
	parts := of("my doctor").Plus(of("a house\tby the sea", "the river"))
	fmt.Println(parts == whole, parts.Rows)
	fmt.Println(of("the river", "a house by the sea", "your doctor") == whole)
	// Output:
	// true 3
	// false
}
