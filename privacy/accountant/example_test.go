package accountant_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

func ExampleCompose() {
	token := privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 0.05}
	for _, delta := range []float64{0, 1e-6} {
		text, how, err := accountant.Compose(token, 400, delta)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: (%.3f, %g)\n", how, text.Epsilon, text.Delta)
	}
	// Output:
	// basic: (20.000, 0)
	// optimal: (4.862, 1e-06)
}

// Randomised response over 20,000 words loses far less than its claim says.
func ExampleUse_EpsilonOf() {
	losses, err := accountant.TwoLevel(2, 1, 20_000, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, use := range []accountant.Use{{Epsilon: 2}, {Epsilon: 2, Losses: losses}} {
		epsilon, how, err := use.EpsilonOf(400, 1e-6)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.2f\n", how, epsilon)
	}
	// Output:
	// optimal: 719.57
	// losses: 7.97
}
