package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/text/internal/records"
)

func TestPartsAreStreamsThatMakeUpTheWhole(t *testing.T) {
	var long strings.Builder
	long.WriteString("id,text\n")
	for i := range 40_000 {
		fmt.Fprintf(&long, "%d,\"a text,\nof two lines\"\n", i)
	}
	for _, c := range []struct {
		format *Format
		fields []string
		in     string
		header string
		most   int
	}{
		{CSV, []string{"text"}, long.String(), "id,text\n", 100},
		{Lines, nil, "one\ntwo\n", "", 1},
		{Lines, nil, "", "", 1},
		{CSV, []string{"text"}, "id,text\n", "id,text\n", 1},
	} {
		var whole bytes.Buffer
		parts, line := 0, 1+strings.Count(c.header, "\n")
		err := EachPart(iotest.HalfReader(strings.NewReader(c.in)), Copying{Format: c.format, Fields: c.fields}, func(p Part) error {
			if p.Number != parts || p.Line != line || string(p.Header) != c.header {
				t.Errorf("part %d at line %d under %q, want %d, %d, %q", p.Number, p.Line, p.Header, parts, line, c.header)
			}
			out, err := copied(t, string(p.Header)+string(p.Data), Copying{Format: c.format, Fields: c.fields, Change: same})
			if err != nil {
				return err
			}
			whole.WriteString(strings.TrimPrefix(out, c.header))
			parts, line = parts+1, line+bytes.Count(p.Data, records.Newline)
			return nil
		})
		if err != nil || c.header+whole.String() != c.in || parts < 1 || parts > c.most || len(c.in) > 1<<20 && parts < 3 {
			t.Errorf("%d parts of %d bytes (%v)", parts, len(c.in), err)
		}
	}
	if err := EachPart(strings.NewReader("a\n"), Copying{Format: CSV, Fields: []string{"b"}}, nil); err == nil {
		t.Error("a field that is not there is taken")
	}
}
