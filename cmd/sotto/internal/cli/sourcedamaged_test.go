package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/files/compress"
)

// A damaged file of one record ends as bytes that are not text, wherever the damage is. A disk
// that fails is an error.
func TestDamagedFilesOfOneRecordHaveNoText(t *testing.T) {
	text := strings.Repeat("a note of a patient. ", 20_000)
	for _, name := range []string{"a.txt.gz", "a.txt.zst"} {
		var packed bytes.Buffer
		w, err := compress.NewWriter(name, &packed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err = w.Close(); err != nil {
			t.Fatal(err)
		}
		whole := packed.Bytes()
		flipped := bytes.Clone(whole)
		flipped[len(flipped)/2] ^= 0xff
		for what, data := range map[string][]byte{"whole": whole, "cut": whole[:len(whole)/2], "flipped": flipped, "garbage": []byte("this is no archive at all"), "short": whole[:3]} {
			read := func(in io.Reader) (string, error) {
				r, err := newTolerant(name, &streamReader{in, func(int) {}})
				if err != nil {
					return "", err
				}
				defer r.Close()
				all, err := io.ReadAll(r)
				return string(all), err
			}
			got, err := read(bytes.NewReader(data))
			if err != nil || utf8.ValidString(got) != (what == "whole") || what == "whole" && got != text {
				t.Errorf("%s, %s: %d bytes, %v", name, what, len(got), err)
			}
			failed := errors.New("the disk failed")
			if _, err := read(io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), iotest.ErrReader(failed))); !errors.Is(err, failed) {
				t.Errorf("%s: a disk that fails gives %v", name, err)
			}
		}
	}
}
