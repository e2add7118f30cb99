package learn_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/learn"
)

func ExampleCompare() {
	r := learn.Compare([]string{"late", "late", "thanks", "thanks"}, []string{"late", "thanks", "thanks", "thanks"})
	fmt.Println(r.Accuracy, r.Classes, r.Confusion)
	// Output: 0.75 [late thanks] [[1 1] [0 2]]
}
