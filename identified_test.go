package sotto_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/text"
	own "github.com/sotto-dp/sotto/text/parquet"
)

// released are inputs of every format, with what formats escape, leave out or end in their own ways.
var released = []struct {
	format *text.Format
	fields []string
	file   string
}{
	{text.Lines, nil, "\ufeffMy doctor agreed.\r\n\n \nThe \"food\" was, of course, \tcold\nno line end"},
	{text.Text, nil, "One line.\n\nAnother line\r\nof the same text"},
	{text.CSV, []string{"t"}, "id,t,n\r\n1,\"a \"\"b\"\",\nc\",2\r\n3,,4\r\n5,the end,6"},
	{text.CSV, []string{"t", "n"}, "t,n\nmy doctor,agreed\n,\nin boston,yes\n"},
	{text.CSV, []string{"t"}, "t\n\nalone\n"},
	{text.TSV, []string{"t"}, "id\tt\n1\tsay \"yes\"\n2\t\n"},
	{text.JSONL, []string{"t"}, "{\"t\":\"a\\u00e9\\n\\ud83d\\ude00\",\"u\":1}\n{\"t\":null}\n\n{\"t\":\"\"}\n{\"t\":\"a\",\"t\":\"b\"}"},
	{text.JSONL, []string{"a.b[*]", "c"}, "{\"a\":{\"b\":[\"one\",\"two\"]},\"c\":\"three\"}\n{\"a\":{\"b\":[]},\"c\":\"\"}\n"},
	{text.JSON, []string{"t"}, "[{\"t\":\"the river\"},\n {\"t\":\"the bank\"}]\n"},
	{own.Format, []string{"t"}, ""},
}

// parquetOf is a file of Parquet with a null and an empty text.
func parquetOf(t *testing.T) string {
	t.Helper()
	type row struct {
		T *string `parquet:"t,optional"`
		N int64   `parquet:"n"`
	}
	texts := []string{"the river\nand the sea", "", "my doctor"}
	rows := []row{{nil, 1}}
	for i := range texts {
		rows = append(rows, row{&texts[i], int64(i)})
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// The texts that a statement identifies are those that are read in the output, in every format,
// for every unit and however the work is divided.
func TestStatementsIdentifyWhatIsReadBack(t *testing.T) {
	for name, cfg := range map[string]sotto.Configuration{
		"tokens": sotto.Config{Epsilon: 8},
		"words":  sotto.Config{Epsilon: 8, Unit: privacy.Word},
		"capped": sotto.Words{Cap: sotto.Cap{Epsilon: 40, Tokens: 4, Over: sotto.Clamp}},
		"texts":  sotto.Config{Epsilon: 4, Unit: privacy.Text},
	} {
		r, err := sotto.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range released {
			if c.format == own.Format {
				c.file = parquetOf(t)
			}
			if c.format.Whole && name == "words" {
				continue // a text in parts
			}
			var out bytes.Buffer
			total, want := sotto.Counts{}, sotto.Identified()
			for range 2 { // parts of a run
				out.Reset()
				s := sotto.Stream{Format: c.format, Fields: c.fields, Prompt: true, Workers: 3, Counts: &total}
				statement, err := r.Copy(t.Context(), &out, seekable(c.file), s)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, c.format, err)
				}
				got := readBack(t, c.format, c.fields, out.String())
				if statement.Drawn == nil || *statement.Drawn != got || got.Rows == 0 {
					t.Errorf("%s, %s: the statement is of %+v, the file has %+v\n%s", name, c.format, statement.Drawn, got, out.String())
				}
				if want = want.Plus(got); total.Drawn != want {
					t.Errorf("%s, %s: the parts are identified as %+v, not %+v", name, c.format, total, want)
				}
			}
			if err := r.Verify(new(r.Statement(total))); err != nil && name != "capped" {
				t.Errorf("%s, %s: %v", name, c.format, err)
			}
		}
	}
}

func seekable(file string) io.Reader { return strings.NewReader(file) }

// readBack identifies the texts of a file.
func readBack(t *testing.T, f *text.Format, fields []string, file string) identity.Drawn {
	t.Helper()
	var texts []string
	in, err := f.Open(seekable(file), text.Options{Fields: fields})
	for err == nil {
		var b text.Batch
		if b, err = in.Next(); err == nil {
			var some [][]byte
			some, err = b.Texts()
			for _, one := range some {
				texts = append(texts, string(one))
			}
		}
	}
	if err != io.EOF {
		t.Fatalf("%s: %v in\n%s", f, err, file)
	}
	return sotto.Identified(texts...)
}
