package segment_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// Words of Chinese and Japanese are not separated by spaces.
func ExampleUnspaced() {
	fmt.Println(segment.Unspaced('字'), segment.Unspaced('a'))
	// Output: true false
}
