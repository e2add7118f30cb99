package terms_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/text/terms"
)

func Example() {
	read := terms.Of(nil)()
	read([]byte("Who wrote “Émile”, in 1762?"), func(term []byte) { fmt.Println(string(term)) })
	// Output:
	// who
	// wrote
	// émile
	// in
	// 1762
}
