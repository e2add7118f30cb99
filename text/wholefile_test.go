package text_test

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/text"
)

// An input is one text whatever it holds, and nothing of it shows in the output.
func TestFileIsOneText(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		unread         int
	}{
		{"empty", "", "", 0},
		{"a line end", "\n", "", 0},
		{"a mark", "\ufeff", "", 0},
		{"no line end", "one\n\ntwo", "one\n\ntwo", 0},
		{"line ends", "one\r\n\n\ntwo\n\n", "one\r\n\n\ntwo\n", 0},
		{"bytes", "one\n\xff\x00", "one\n\ufffd\ufffd", 1},
		{"many batches", strings.Repeat("one\n", 1<<18), strings.Repeat("one\n", 1<<18)[:1<<20-1], 0},
	} {
		for _, records := range []int{0, 1, 256} {
			for _, prompt := range []bool{false, true} {
				in := iotest.DataErrReader(iotest.HalfReader(strings.NewReader(c.in)))
				out, texts, unread := total(t, in, text.Copying{Format: text.File, Records: records, Prompt: prompt})
				if out != "P\n" || !slices.Equal(texts, []string{c.want}) || unread != c.unread {
					t.Errorf("%s, batches of %d: the output is %q of %d texts, %d unread", c.name, records, out, len(texts), unread)
				}
			}
		}
	}
}

// The beginning of a longer file is the text, also where its lines are short.
func TestFileHasAtMostARecord(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	for _, records := range []int{0, 256} {
		out, texts, _ := total(t, strings.NewReader(strings.Repeat(line, 20_000)), text.Copying{Format: text.File, Records: records, Most: 300 << 10})
		if out != "P\n" || len(texts) != 1 || len(texts[0]) < 200<<10 || len(texts[0]) > 1<<20 {
			t.Errorf("the output is %q of %d texts", out, len(texts))
		}
	}
}

// A file is a record, an empty one too: a vector belongs to it.
func TestFileIsOneRecord(t *testing.T) {
	for in, want := range map[string]string{"": "", "one\ntwo\n": "one\ntwo"} {
		n := 0
		err := text.Scan(strings.NewReader(in), text.Copying{Format: text.File, Total: true}, func(by string, texts [][]byte) error {
			n++
			if by != "" || len(texts) != 1 || string(texts[0]) != want {
				t.Errorf("%q has a record of %q with %q", in, by, texts)
			}
			return nil
		})
		if err != nil || n != 1 {
			t.Errorf("%q has %d records (%v)", in, n, err)
		}
	}
}
