package attack_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/attack"
)

// An attack whose probability of success is known has it as its interval.
func ExampleCertain() {
	s := attack.Certain(0.731)
	fmt.Printf("%.3f, between %.3f and %.3f, %s\n", s.Share, s.Low, s.High, s.Method)
	// Output: 0.731, between 0.731 and 0.731, exact
}
