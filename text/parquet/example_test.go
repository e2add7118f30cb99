package parquet_test

import (
	"fmt"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// Programs that read Parquet add its format to the table of formats.
func Example() {
	formats := text.Formats(parquet.Format)
	for _, f := range formats {
		if f.Seeks {
			fmt.Println(f.Name, f.Extensions)
		}
	}
	// Output: parquet [.parquet]
}
