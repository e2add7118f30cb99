package builtin_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding/builtin"
)

func Example() {
	table, err := builtin.English()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Len(), "words of", table.Dim(), "dimensions")
	// Output: 20000 words of 100 dimensions
}
