package attack_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/attack"
)

// An attack named 12 of 200 texts. The interval covers the true share with probability 0.95.
func ExampleExact() {
	s := attack.Exact(12, 200)
	fmt.Printf("%.3f, between %.3f and %.3f\n", s.Share, s.Low, s.High)
	// Output: 0.060, between 0.031 and 0.102
}
