package progress_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/progress"
)

// A long computation calls the function that its caller gave.
func ExampleFunc() {
	var show progress.Func = func(r progress.Report) { fmt.Printf("%s: %d of %d\n", r.Stage, r.Done, r.Total) }
	show(progress.Report{Stage: "certificate", Done: 50, Total: 200})
	// Output: certificate: 50 of 200
}
