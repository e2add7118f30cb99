package compress_test

import (
	"bytes"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/files/compress"
)

// The name of a file chooses its compression.
func Example() {
	var file bytes.Buffer
	w, err := compress.NewWriter("notes.txt.gz", &file)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := io.WriteString(w, "The parcel is late.\n"); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	r, err := compress.NewReader("notes.txt.gz", &file)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := io.ReadAll(r)
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// The parcel is late.
	// <nil>
}
