package run_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/run"
)

// The draws of an attempt are the same when it is made again, and others for another input.
func ExampleDraws() {
	key := make([]byte, 32) // of a real run: secret and random
	first := func(a run.Attempted) uint64 {
		draws, err := run.Draws(key, a)
		if err != nil {
			panic(err)
		}
		return draws.Source(0).Uint64()
	}
	attempt := run.Attempted{Output: "notes.csv", Number: 1, Settings: []byte("epsilon 8"), Input: "digest of the input"}
	changed := attempt
	changed.Input = "digest of another input"
	once, again := first(attempt), first(attempt)
	fmt.Println(once == again, once == first(changed))
	// Output: true false
}
