package fullread

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadsAreFullUpToTheEnd(t *testing.T) {
	in := From(iotest.OneByteReader(strings.NewReader("abcdefgh")))
	p := make([]byte, 5)
	if n, err := in.Read(p); n != 5 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := in.Read(p); n != 3 || err != io.EOF {
		t.Errorf("at the end %d bytes, %v", n, err)
	}
	if n, err := in.Read(p); n != 0 || err != io.EOF {
		t.Errorf("after the end %d bytes, %v", n, err)
	}
}
