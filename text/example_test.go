package text_test

import (
	"fmt"
	"os"

	"github.com/sotto-dp/sotto/text"
)

func ExampleNewTableWriter() {
	w, err := text.NewTableWriter(os.Stdout, text.CSV, "label", "text")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Write([]byte("late"), []byte(`The "parcel" is late.`)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Close())
	// Output:
	// label,text
	// late,"The ""parcel"" is late."
	// <nil>
}
