package typed_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/typed"
)

// The set of a date is the days around it, whatever its written form is.
func ExampleCodebook_Nearest() {
	dates, _ := typed.Default(typed.Known("date of birth"))
	set, err := dates.Nearest(nil, dates.Encode(nil, []byte("17 March 2024")), 3)
	if err != nil {
		panic(err)
	}
	for _, place := range set {
		fmt.Println(dates.Text(int(place)))
	}
	// Output:
	// 2024-03-16
	// 2024-03-17
	// 2024-03-18
}
