package text_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

func TestTableHasItsColumnsAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		format *text.Format
		want   string
	}{
		{text.CSV, "u,\"a,b\"\nx,\"1 \"\"2\"\"\"\n,\"3\n4\"\n"},
		{text.TSV, "u\ta,b\nx\t1 \"2\"\n\t3 4\n"},
		{text.JSONL, "{\"u\":\"x\",\"a,b\":\"1 \\\"2\\\"\"}\n{\"u\":\"\",\"a,b\":\"3\\n4\"}\n"},
	} {
		var out bytes.Buffer
		w, err := text.NewTableWriter(&out, c.format, "u", "a,b")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range [][2]string{{"x", `1 "2"`}, {"", "3\n4"}} {
			if err := w.Write([]byte(r[0]), []byte(r[1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write([]byte("one value")); err == nil {
			t.Errorf("%s: a record of one value is taken for two columns", c.format)
		}
		if err := w.Close(); err != nil || out.String() != c.want {
			t.Errorf("%s: %q (%v), want %q", c.format, out.String(), err, c.want)
		}
	}
	var out bytes.Buffer
	w, err := text.NewTableWriter(&out, text.Lines, "t")
	if err == nil {
		err = w.Write([]byte("a\r\nb"))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil || out.String() != "a  b\n" {
		t.Errorf("lines: %q (%v)", out.String(), err)
	}
	if _, err := text.NewTableWriter(&out, text.Lines, "u", "t"); err == nil {
		t.Error("lines have two columns")
	}
	if _, err := text.NewTableWriter(&out, parquet.Format, "t"); err == nil {
		t.Error("parquet is written as a table")
	}
}

// JSON that is written is read back by the same paths.
func TestTableOfPathsIsReadBackByThem(t *testing.T) {
	for _, c := range []struct {
		columns []string
		want    string
		lost    bool // no path leads to a key that has the column's name
	}{
		{[]string{"ward", "note.body"}, `{"ward":"v0","note":{"body":"v1"}}`, false},
		{[]string{"a.b", "c", "a.d"}, `{"a":{"b":"v0","d":"v2"},"c":"v1"}`, false},
		{[]string{"items[0].text", "id"}, `{"items":[{"text":"v0"}],"id":"v1"}`, false},
		{[]string{"items[*].text", "items[*].by"}, `{"items":[{"text":"v0","by":"v1"}]}`, false},
		{[]string{"a", "a.b"}, `{"a":"v0","a.b":"v1"}`, true},
		{[]string{"a.b", "a"}, `{"a.b":"v0","a":"v1"}`, true},
		{[]string{"a[2].b"}, `{"a[2].b":"v0"}`, true},
		{[]string{"Dr. Who", "text"}, `{"Dr. Who":"v0","text":"v1"}`, true},
		{[]string{"0", "x"}, `{"0":"v0","x":"v1"}`, false},
		{[]string{"a..b"}, `{"a..b":"v0"}`, true},
	} {
		var out bytes.Buffer
		w, err := text.NewTableWriter(&out, text.JSONL, c.columns...)
		if err != nil {
			t.Fatal(err)
		}
		var values [][]byte
		for i := range c.columns {
			values = append(values, fmt.Appendf(nil, "v%d", i))
		}
		if err := errors.Join(w.Write(values...), w.Close()); err != nil || out.String() != c.want+"\n" {
			t.Errorf("%q: %s (%v), want %s", c.columns, out.String(), err, c.want)
		}
		if c.lost {
			continue
		}
		rows, err := text.JSONL.Rows(&out, c.columns)
		if err != nil {
			t.Fatal(err)
		}
		batch, err := rows.Next()
		if err != nil || len(batch.Rows()) != 1 {
			t.Fatalf("%q: %v", c.columns, err)
		}
		for i, got := range batch.Rows()[0] {
			if !bytes.Equal(got, values[i]) {
				t.Errorf("%q: column %d is read back as %q", c.columns, i, got)
			}
		}
	}
}
