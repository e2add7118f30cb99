package compress

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestCompressionFollowsTheName(t *testing.T) {
	for _, name := range []string{"a.txt", "a.txt.gz", "a.txt.zst"} {
		var file bytes.Buffer
		w, err := NewWriter(name, &file)
		if err != nil {
			t.Fatal(err)
		}
		content := strings.Repeat("one line of text\n", 1000)
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if Plain(name) != "a.txt" {
			t.Errorf("%s is %s without its compression", name, Plain(name))
		}
		if plain := name == "a.txt"; plain != (file.Len() == len(content)) {
			t.Errorf("%s takes %d bytes for %d", name, file.Len(), len(content))
		}
		whole := file.Bytes()
		// A gzip header has room for a name and a time. None is written: the time is
		// a constant, long after this was written.
		if when := time.Unix(int64(binary.LittleEndian.Uint32(whole[4:])), 0); name == "a.txt.gz" && (whole[3] != 0 || when.Year() != 2042) {
			t.Errorf("the header of %s is %x", name, whole[:10])
		}
		r, err := NewReader(name, bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != content {
			t.Errorf("%s does not come back (%v)", name, err)
		}
		if name == "a.txt" {
			continue
		}
		cut, err := NewReader(name, bytes.NewReader(whole[:len(whole)-3]))
		if err != nil {
			t.Fatal(err) // the head is whole
		}
		if _, err := io.ReadAll(cut); err == nil {
			t.Errorf("a truncated %s passes", name)
		}
	}
}

func TestFilesWithoutAHeaderAreNamed(t *testing.T) {
	for content, want := range map[string]string{
		"":                   "it is empty, and so no gzip file",
		"\x1f\x8b\x08\x00":   "it ends in the header of gzip: it is damaged, or not all of it was copied",
		"one line of text\n": "it is no gzip file, whatever its name",
		"hi":                 "it is no gzip file, whatever its name",
		"\x1f":               "it ends in the header of gzip: it is damaged, or not all of it was copied",
	} {
		if _, err := NewReader("a.txt.gz", strings.NewReader(content)); err == nil || err.Error() != want {
			t.Errorf("%q: %v", content, err)
		}
	}
	if _, err := NewReader("a.gz", iotest.ErrReader(io.ErrClosedPipe)); err != io.ErrClosedPipe {
		t.Errorf("an error of the input: %v", err)
	}
}
