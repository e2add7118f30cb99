package catalog_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/mechanism/catalog"
)

func ExampleFind() {
	for _, name := range []string{"neighbours", "trlaplace-published"} {
		entry, _ := catalog.Find(name)
		fmt.Println(entry.Name, "is", entry.Standing)
	}
	// Output:
	// neighbours is proved
	// trlaplace-published is refuted
}
