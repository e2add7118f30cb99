package fault_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/fault"
)

func Example() {
	in := strings.NewReader("id,text\n1,\"My order\n")
	records, err := text.CSV.Open(in, text.Options{Fields: []string{"text"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	batch, err := records.Next()
	if err == nil {
		_, err = batch.Texts()
	}
	var of fault.Error
	if errors.As(err, &of) {
		fmt.Println(of.FaultKind())
	}
	// Output: quotes
}
