package restore_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/restore"
)

// At a small epsilon a restored text would be invented, so restoring it is refused.
func ExampleWorthwhile() {
	claim := privacy.Claim{Unit: privacy.Token, Notion: privacy.Pure, Epsilon: 8}
	fmt.Println(restore.Worthwhile(claim))
	claim.Epsilon = 2
	fmt.Println(restore.Worthwhile(claim) != nil)
	// Output:
	// <nil>
	// true
}
