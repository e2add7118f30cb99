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

// unchanged returns the copy of a file of which no text is changed.
func unchanged(t interface{ Fatalf(string, ...any) }, in string, read func(io.Reader) io.Reader) string {
	var out bytes.Buffer
	o := Copying{Format: JSON, Fields: []string{"t"}, Change: func(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }}
	if err := Transcribe(&out, read(strings.NewReader(in)), o); err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	return out.String()
}

func asIs(in io.Reader) io.Reader { return in }

// Documents that extend over lines are records, whatever the texts and the white space, and
// however the input arrives.
func TestDocumentsOverLinesAreRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SampledFrom([]string{"a", `"`, `\`, "]", "}", "[", "{", ",", "\n", " ", "é"})
		var in bytes.Buffer
		var want []string
		for range rapid.IntRange(1, 4).Draw(t, "documents") {
			one := strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "text"), "")
			want = append(want, one)
			data, err := json.MarshalIndent(map[string]any{"t": one, "m": []any{map[string]any{"]": "["}}}, "", rapid.SampledFrom([]string{"", "\t", "  "}).Draw(t, "indent"))
			if err != nil {
				t.Fatal(err)
			}
			in.Write(data)
			in.WriteString(rapid.SampledFrom([]string{"", "\n", "\r\n\r\n"}).Draw(t, "between"))
		}
		lines := strings.Split(strings.TrimSuffix(unchanged(t, in.String(), iotest.OneByteReader), "\n"), "\n")
		for i, one := range want {
			var got struct {
				T string           `json:"t"`
				M []map[string]any `json:"m"`
			}
			if len(lines) != len(want) || json.Unmarshal([]byte(lines[i]), &got) != nil || got.T != one || got.M[0]["]"] != "[" {
				t.Fatalf("%q became %q", in.String(), lines)
			}
		}
	})
}

// Where the first line is a whole document, lines are records: one that is broken touches no other.
func TestLinesOfDocumentsAreReadAsTheyAre(t *testing.T) {
	for _, in := range []string{
		"{\"t\":\"a\"}", "\n \n{\"t\": \"a\" , \"u\":[1,\t2]} \r\n\n{\"t\":\"b\"}\n", "{\"t\":\"a\"}\n" + strings.Repeat("{\"t\":\"b\"}\n", 50_000),
	} {
		if got := unchanged(t, in, asIs); got != in {
			t.Errorf("%.80q became %.80q", in, got)
		}
		if got := unchanged(t, in, iotest.HalfReader); got != in {
			t.Errorf("%.80q became %.80q", in, got)
		}
	}
	for in, want := range map[string]int{
		"{\"t\":\"a\"}\n{\"t\":\"b\n{\"t\":\"c\"}\n":         3, // the second does not end
		"{\"t\":\"a}\n{\"t\":\"c\"}\n":                       2, // nor does the text of the first
		"{\"t\":\"a\" \"b\"}}\n{\"t\":\"c\"}\n":              2,
		"{\n\"t\":\"a\",\n\"u\":[\n1,\n2]\n}\n\n{\"t\":\n4}": 2,
	} {
		r, err := JSON.Open(strings.NewReader(in), Options{Fields: []string{"t"}, Total: true})
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if texts, err := b.Texts(); len(texts) != want || err != nil {
			t.Errorf("%q has the texts %q (%v)", in, texts, err)
		}
	}
}

// Where quotes or brackets do not match, a text does not decide how many records there are.
func TestNothingButDocumentsExtendsOverLines(t *testing.T) {
	for _, in := range []string{
		"{\n\"t\": \"he said \"}} no\",\n\"k\": 1\n}\n{\n\"t\": \"b\"\n}\n",
		"{\n\"t\": \"he said \"} } } } \"x\",\n\"k\": 1\n}\n{\n\"t\": \"b\"\n}\n",
		"{\n\"t\": \"a\"\n},\n{\n\"t\": \"b\"\n},\n{\n\"t\": \"c\"\n}\n",
		"{\n\"t\": \"a\"\n}\n\n4\n",
		"{\n\"t\": \"a\"\n]\n",
		"{\"t\": \"he said \"b\",\n\"k\": 1\n}\n",
		"{\"t\": \"he said \"} no\"\",\n\"k\": 1\n}\n",
		"{\"t\": \"he said \"} {\"\",\n\"k\": 1\n}\n",
	} {
		for _, read := range []func(io.Reader) io.Reader{asIs, iotest.OneByteReader} {
			r, err := JSON.Open(read(strings.NewReader(in)), Options{Fields: []string{"t"}, Total: true, Records: 256})
			if err == nil {
				_, err = r.Next()
			}
			var of *InputError
			if !errors.As(err, &of) || !strings.HasSuffix(of.What, "brackets or quotes do not match") {
				t.Errorf("%q is read (%v)", in, err)
			}
		}
	}
}

// Rows of documents over lines are those of the same documents as lines.
func TestRowsOfDocumentsOverLines(t *testing.T) {
	rows := readRows(t, JSON, strings.NewReader("{\n \"t\": \"a\",\n \"u\": 1\n}\n{ \"u\":\n2 }"), "t", "u")
	if got, want := show(rows), `"a" "1"; - "2"`; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}
