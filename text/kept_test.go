package text_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/text"
)

// Where parts of texts are copied, so are the tabs and line ends of the input.
func TestKeptTextsKeepTheirTabsAndLineEnds(t *testing.T) {
	for _, c := range []struct {
		format   *text.Format
		in, want string
	}{
		{text.Lines, "a\tb\r\n\r\nc\n\nd", "A\tB\r\n\r\nC\n\nD"},
		{text.Lines, "a\n", "A\n"},
		{text.File, "a\tb\r\n\nc\n\n", "A\tB\r\n\nC\n\n"},
		{text.File, "a", "A"},
		{text.JSONL, `{"t":"a\tb"}` + "\r\n", `{"t":"A\tB"}` + "\r\n"},
		{text.TSV, "t\tu\r\na\tb\r\n", "t\tu\r\nA\tb\r\n"},
	} {
		o := text.Options{Kept: true}
		if c.format == text.JSONL || c.format == text.TSV {
			o.Fields = []string{"t"}
		}
		var out bytes.Buffer
		r, err := c.format.Open(strings.NewReader(c.in), o)
		if err == nil {
			err = r.Begin(&out)
		}
		for err == nil {
			var b text.Batch
			if b, err = r.Next(); err != nil {
				break
			}
			var texts [][]byte
			if texts, err = b.Texts(); err != nil {
				break
			}
			upper := make([][]byte, len(texts))
			for i, one := range texts {
				upper[i] = bytes.ToUpper(one)
			}
			if err = b.Replace(upper); err == nil {
				err = b.Write()
			}
		}
		if err == io.EOF {
			err = r.End()
		}
		if err != nil || out.String() != c.want {
			t.Errorf("%s %q: %q, must be %q (%v)", c.format, c.in, out.String(), c.want, err)
		}
	}
}
