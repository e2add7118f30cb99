package noise_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/noise"
)

// A count that one record changes by 1 loses epsilon 1/2 with this noise. The seed makes the
// example repeatable. To protect data, use noise.Secure().
func ExampleLaplace() {
	const count = 120
	src, laplace := noise.Seeded(1, 1), noise.NewLaplace(1, 2)
	for range 3 {
		fmt.Println(count + laplace.Draw(src))
	}
	// Output:
	// 116
	// 123
	// 120
}
