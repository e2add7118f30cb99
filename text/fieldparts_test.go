package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A field of CSV or TSV in parts is the field at once, wherever what needs quotes occurs.
func TestFieldsAreWrittenInPartsAsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &delimited{comma: ',', quotes: rapid.Bool().Draw(t, "quotes"), chosen: make([]bool, 1+rapid.IntRange(0, 1).Draw(t, "others"))}
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", " b", "", "c,", "\"", "\"\"", "d\n", "e\r"})).Draw(t, "parts")
		e := d.inParts()
		var got []byte
		for _, p := range parts {
			got = e.add(got, []byte(p))
		}
		got = e.end(got)
		if want := d.encode(nil, []byte(strings.Join(parts, ""))); string(got) != string(want) {
			t.Fatalf("%q, at once %q", got, want)
		}
	})
}
