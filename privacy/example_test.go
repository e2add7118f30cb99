package privacy_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
)

func ExampleClaim() {
	claim := privacy.Claim{Unit: privacy.Text, Notion: privacy.Pure, Epsilon: 4}
	fmt.Println(claim)
	// Output: (epsilon = 4)-differential privacy for each text
}

// Without consent, only proved promises are accepted.
func ExampleTerms_Admit() {
	fmt.Println(privacy.Terms{}.Admit("neighbours", privacy.Proved))
	fmt.Println(privacy.Terms{}.Admit("trlaplace-published", privacy.Refuted) != nil)
	fmt.Println(privacy.Terms{Least: privacy.Refuted}.Admit("trlaplace-published", privacy.Refuted))
	// Output:
	// <nil>
	// true
	// <nil>
}
