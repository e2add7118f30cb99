package segment_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/embedding/segment"
)

// French words are cut at the apostrophe, which belongs to the shorter side. An address is
// one word.
func ExampleRules_Cutter() {
	rules, err := segment.New(segment.Description{Kind: segment.Words, Language: "fr"})
	if err != nil {
		fmt.Println(err)
		return
	}
	none := func(string) bool { return false }
	rules.Cutter(none).Cut([]byte("L'homme écrit à bob@example.com."), func(word []byte, begins bool) {
		fmt.Printf("%s %t\n", word, begins)
	})
	// Output:
	// L' true
	// homme false
	// écrit false
	// à false
	// bob@example.com false
	// . false
}

// Words of Chinese and Japanese are not separated by spaces.
func ExampleUnspaced() {
	fmt.Println(segment.Unspaced('字'), segment.Unspaced('a'))
	// Output: true false
}
