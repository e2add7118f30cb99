package noise_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/noise"
)

// A count that one record changes by 1 loses epsilon 1/2 with this noise. The seed makes the
// example repeatable. To protect data, use noise.Secure().
func ExampleDiscreteLaplaceRate() {
	const count = 120
	src := noise.Seeded(1, 1)
	for range 3 {
		fmt.Println(count + noise.DiscreteLaplaceRate(src, 1, 2))
	}
	// Output:
	// 115
	// 124
	// 116
}
