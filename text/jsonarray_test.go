package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// An array is read and written as JSON that other programs read, whatever the texts and the
// white space around the elements, and however the input arrives.
func TestArrayHasTheRecordsOfAnArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type record struct {
			T string         `json:"t"`
			N []int          `json:"n"`
			M map[string]any `json:"m"`
		}
		pieces := rapid.SampledFrom([]string{"a", `"`, `\`, "]", "}", "[", "{", ",", "\n", " ", "é", "\u2028"})
		var rows []record
		for range rapid.IntRange(0, 5).Draw(t, "records") {
			rows = append(rows, record{strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "text"), ""), []int{1, 2}, map[string]any{"]": "["}})
		}
		in, err := json.Marshal(append([]record{}, rows...))
		if err == nil && rapid.Bool().Draw(t, "indented") {
			var b bytes.Buffer
			err = json.Indent(&b, in, "", "\t")
			in = b.Bytes()
		}
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := Copying{Format: JSON, Fields: []string{"t"}, Change: func(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }}
		if err := Transcribe(&out, iotest.OneByteReader(bytes.NewReader(in)), o); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		var got []record
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%s became %s: %v", in, out.Bytes(), err)
		}
		for i := range rows {
			if len(got) != len(rows) || got[i].T != rows[i].T || got[i].M["]"] != "[" {
				t.Fatalf("%s became %s", in, out.Bytes())
			}
		}
	})
}

// A table is written as an array, an empty one too.
func TestTableIsWrittenAsAnArray(t *testing.T) {
	for n, want := range []string{"[]\n", "[\n{\"a\":\"x\",\"b\":\"\\n\"}\n]\n", "[\n{\"a\":\"x\",\"b\":\"\\n\"},\n{\"a\":\"x\",\"b\":\"\\n\"}\n]\n"} {
		var out bytes.Buffer
		w, err := NewTableWriter(&out, JSON, "a", "b")
		for range n {
			if err == nil {
				err = w.Write([]byte("x"), []byte("\n"))
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil || out.String() != want {
			t.Errorf("%d rows are %q (%v)", n, out.String(), err)
		}
	}
}

// Rows of an array are those of the same records as lines.
func TestRowsOfAnArrayAreThoseOfItsRecords(t *testing.T) {
	rows := readRows(t, JSON, strings.NewReader(`[{"t":"a","u":1}, {"u":2},3,{"t":"b"}]`), "t", "u")
	if got, want := show(rows), `"a" "1"; - "2"; - -; "b" -`; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	r, err := JSON.Rows(strings.NewReader(`[{"t":"a"},{"t":"b`), []string{"t"})
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF {
		t.Error("an array that does not end is read without an error")
	}
}

// A separator of one's own is that of the fields and of quotes.
func TestSeparatorIsThatOfTheFields(t *testing.T) {
	in := "t;u\n\"a;b\nc\";1,5\nd;\"2;0\"\n"
	var out bytes.Buffer
	o := Copying{Format: Delimited(';'), Fields: []string{"t"}, Change: func(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }}
	if err := Transcribe(&out, strings.NewReader(in), o); err != nil || out.String() != in {
		t.Errorf("copied as %q (%v)", out.String(), err)
	}
	if got, want := show(readRows(t, Delimited(';'), strings.NewReader(in), "t", "u")), `"a;b\nc" "1,5"; "d" "2;0"`; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}

// A comma has an element on both sides. One that is not there is no document, wherever it is.
func TestCommaOfAnArrayStandsBetweenElements(t *testing.T) {
	for in, missing := range map[string]int{
		`[{"t":"a"},]`:         2,
		"[{\"t\":\"a\"} ,\n ]": 2,
		`[{"t":"a"},,{}]`:      2,
		`[,{"t":"a"}]`:         1,
		`[,]`:                  1,
		`[{"t":"a"}, ]  `:      2,
		`[ ]`:                  0,
		`[{"t":"a"},{"t":""}]`: 0,
	} {
		var out bytes.Buffer
		o := Copying{Format: JSON, Fields: []string{"t"}, Change: func(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }}
		err := Transcribe(&out, iotest.OneByteReader(strings.NewReader(in)), o)
		var refused *InputError
		if missing == 0 && err != nil || missing > 0 && (!errors.As(err, &refused) || refused.Line != missing || refused.What != "not a JSON document") {
			t.Errorf("%s: %v", in, err)
		}
	}
}
