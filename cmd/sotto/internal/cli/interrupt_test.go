//go:build unix

package cli

import (
	"io"
	"os"
	"strings"
	"testing"
)

// A waiting reader returns the contents of the file.
func TestWaitingReaderReadsAPipeToItsEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("0123456789abcdef", 20_000)
	go func() {
		_, _ = io.WriteString(w, want)
		_ = w.Close()
	}()
	in := Waiting(t.Context(), r)
	if _, ok := in.(*WaitingFile); !ok {
		t.Fatal("a pipe is read directly")
	}
	if n, err := in.Read(nil); n != 0 || err != nil {
		t.Errorf("nothing asked for: %d bytes, %v", n, err)
	}
	if got, err := io.ReadAll(in); err != nil || string(got) != want {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}
