package runkey_test

import (
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto/files/runkey"
)

// Digests under different secrets differ, so nobody without the secret can test a guess of
// the content.
func ExampleFrom() {
	a, err := runkey.From("7c1f0a3e9b5d4826").Digest(strings.NewReader("the parcel is late"))
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := runkey.From("e04b8d2a6f9c1357").Digest(strings.NewReader("the parcel is late"))
	fmt.Println(a == b, err)
	// Output: false <nil>
}
