package text

import (
	"slices"
	"strings"
	"testing"
)

// The texts of a batch are counted record by record, without records that are left out.
func TestTextsOfEachRecord(t *testing.T) {
	lines := "{\"t\":[\"a\",\"b\"]}\n{\"t\":[\"a\",\"b\",4]}\n\n{\"t\":[]}\n{\"t\":[\"a\"]}"
	for _, c := range []struct {
		format *Format
		in     string
		o      Options
		want   []int
	}{
		{JSONL, lines, Options{Fields: []string{"t[*]"}, Fault: func(*InputError) error { return nil }}, []int{2, 1}},
		{JSONL, lines, Options{Fields: []string{"t[*]"}, Total: true}, []int{2, 3, 1}},
		{JSON, "{\"t\":[\n\"a\",\n\"b\"]}", Options{Fields: []string{"t[*]"}}, []int{2}},
		{CSV, "t,u,t\na,b,c\n\n\"d\ne\",,f\n", Options{Fields: []string{"t"}}, []int{2, 2}},
		{Lines, "a\n\nb\n", Options{}, []int{1, 1, 1}},
	} {
		r, err := c.format.Open(strings.NewReader(c.in), c.o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Texts(); err != nil {
			t.Fatal(err)
		}
		if got := b.(Grouped).PerRecord(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q has %v, want %v", c.format, c.in, got, c.want)
		}
	}
}
