package autoencoder_test

import (
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto/autoencoder"
)

// Two of three words are in the reference, which has two words.
func ExampleRouge1() {
	fmt.Printf("%.2f\n", autoencoder.Rouge1(strings.Fields("cheap early flights"), strings.Fields("early flights")))
	// Output: 0.80
}
