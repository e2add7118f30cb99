package evaluation_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/evaluation"
)

func ExampleDescribe() {
	c := evaluation.Describe([]evaluation.Text{
		{Body: []byte("My parcel is late."), Weight: 1}, {Body: []byte("My parcel is late."), Weight: 1},
		{Body: []byte("The kettle is broken again."), Weight: 1}, {Body: []byte("Thank you!"), Weight: 1},
	})
	fmt.Printf("%d texts, %d distinct, as varied as %.2f, %.2f words each\n", c.Texts, c.Distinct, c.Effective, c.Lengths.Mean)
	// Output: 4 texts, 3 distinct, as varied as 2.83, 3.75 words each
}
