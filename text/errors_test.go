package text_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	goparquet "github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/parquet"
)

// marker represents private text. No four bytes of it in a row are part of an
// error's own words or of a field that a test asks for.
const marker = "ZQXSECRETJVWKQPZ"

// tells returns the part of the marker that an error repeats, if any. It ignores
// case, quotes and escapes.
func tells(err error) string {
	if err == nil {
		return ""
	}
	words := strings.ToUpper(err.Error() + fmt.Sprintf("%q%+v", err, err))
	for i := range len(marker) - 3 {
		if strings.Contains(words, marker[i:i+4]) {
			return marker[i : i+4]
		}
	}
	return ""
}

// readEverywhere gives an input to everything that reads texts, and returns the errors.
func readEverywhere(format *text.Format, in []byte, fields []string, by string) []error {
	var errs []error
	each := func(string, [][]byte) error { return nil }
	for _, name := range []string{"in", "in.gz", "in.zst"} {
		r, err := compress.NewReader(name, bytes.NewReader(in))
		if err == nil {
			err = text.Transcribe(io.Discard, r, text.Copying{Format: format, Fields: fields, Change: always("x")})
		}
		errs = append(errs, err)
	}
	errs = append(errs,
		text.Scan(bytes.NewReader(in), text.Copying{Format: format, Fields: fields, By: by}, each),
		text.EachPart(bytes.NewReader(in), text.Copying{Format: format, Fields: fields}, func(text.Part) error { return nil }),
	)
	for _, part := range []int{0, 1, 9} {
		errs = append(errs, text.Transcribe(io.Discard, bytes.NewReader(in), text.Copying{Format: parquet.Format, Fields: fields, Part: part, Change: always("x")}))
	}
	errs = append(errs,
		text.Scan(bytes.NewReader(in), text.Copying{Format: parquet.Format, Fields: fields}, each),
	)
	if f, err := text.NewJSONFields(fields, nil); err == nil {
		_, err = f.Find(in)
		errs = append(errs, err)
	}
	return errs
}

// broken holds inputs that provoke every error of the readers. ~ is private text.
var broken = []struct {
	format   *text.Format
	field    string
	by       string
	in, want string
}{
	{text.Lines, "t", "", "~\n", "lines have no fields"},
	{text.Lines, "", "t", "~\n", "lines have no fields"},
	{text.Lines, "", "", "~\n~\xe9\n", "line 2: byte 17 is not UTF-8"},
	{text.Text, "t", "", "~\n", "lines have no fields"},
	{text.CSV, "t", "", "t~,\xff~\n~,~\n", "line 1: byte "},
	{text.JSONL, "t", "", "{\"t\":\"~\xe9\"}", "not UTF-8"},
	{parquet.Format, "t", "", "~\n", "not a Parquet file"},
	{text.CSV, "", "", "~,~ ~\n", "csv needs a field"},
	{text.CSV, "t", "", "My doctor ~,\"~\"\nx,y\n", `there is no column "t" in the header (columns: 2)`},
	{text.CSV, "T", "", "~, t\n", "number 2 differs only in case or space"},
	{text.CSV, "t", "q", "t,~\n~,~\n", `there is no column "q"`},
	{text.CSV, "t", "", "", "the file is empty"},
	{text.CSV, "t", "", "t,~\n~\n", "the number of columns is 1, the header has 2"},
	{text.CSV, "t", "", "t,u\n~,\"~\n", "a quoted field does not end"},
	{text.CSV, "t", "", "\"t~,u\n~,~\n", "a quoted field does not end"},
	{text.CSV, "t", "", "t,u\n\"~\"~,~\n", "text after the closing quote"},
	{text.CSV, "t", "", "t,u\n~\"~,~\n", "a quote inside a field"},
	{text.CSV, "t", "", "\"" + strings.Repeat("~", 1<<20), "the header is longer"},
	{text.CSV, "t", "", "\xff\xfet\x00,\x00~\x00\r\x00\n\x00", "looks like UTF-16"},
	{text.TSV, "t", "", "\xfe\xff\x00t\x00\t\x00~\x00\r\x00\n", "looks like UTF-16"},
	{text.TSV, "", "", "~\t~\n", "tsv needs a field"},
	{text.TSV, "t", "", "~\n", `there is no column "t"`},
	{text.TSV, "t", "", "t\tu\n~\t~\t~\n", "the number of columns is 3, the header has 2"},
	{text.JSONL, "", "", "~\n", "jsonl needs a field"},
	{text.JSONL, "t", "", "~\n", "not a JSON document"},
	{text.JSONL, "t", "", `{"t":"~\q"}`, "not a JSON document"},
	{text.JSONL, "t", "", `{"t":"~"}{"~":~}`, "not a JSON document"},
	{text.JSONL, "t", "", `{"~":"~"}`, `there is no field "t"`},
	{text.JSONL, "t", "", `{"t":{"~":"~"}}`, `field "t" is not a string`},
	{text.JSONL, "t", "", `{"t":12e~}`, "not a JSON document"},
	{text.JSONL, "t..u", "", `{"t":"~"}`, "has an empty step"},
	{text.JSONL, "t", "u", `{"t":"~"}`, `there is no field "u"`},
	{text.JSONL, "t", "u", `{"t":"~","u":{"~":1}}`, `field "u" is not a single value`},
	{text.JSONL, "t", "u", `{"t":"~","u":1e999999}`, ""},
	{text.JSON, "t", "", "[{\"t\":\"~\"},\n{\"t\":\"~\n\"}]", "record 2: not a JSON document"},
	{text.JSON, "t", "", "[{\"t\":\"~\"},\n\n{\"~\":\"~\"}]", `record 2: there is no field "t"`},
	{text.JSON, "t", "", `[{"t":"~"},,{"t":"~"}]`, "record 2: not a JSON document"},
	{text.JSON, "t", "", "[{\"t\":\"~\"},\n{\"t\":\"~}]", "line 2: the JSON array does not end"},
	{text.JSON, "t", "", "[{\"t\":\"~\"}]\n~", "line 2: something follows the JSON array"},
	{text.JSON, "t", "", `[{"t":"~"}}`, "the JSON array ends with a brace"},
	{text.JSON, "t", "", "{\n\"t\":\"~\"\n", "line 1: the JSON document that begins here does not end"},
	{text.JSON, "t", "", "{\n\"t\":\"~\"}\n\n{\n\"t\":\"~\"", "line 4: the JSON document that begins here does not end"},
	{text.JSON, "t", "", "{\n\"t\":\"~\n\"}", "record 1: not a JSON document"},
	{text.JSON, "t", "", "{\n\"t\":\"~\"} ~\n{\n\"t\":\"~\"}", "line 2: something between JSON documents"},
	{text.JSON, "t", "", "{\n\"t\":\"~\"]", "line 2: a JSON document ends with a square bracket"},
	{text.JSON, "t", "", "{\"t\":\"~\"} {\n\"t\":\"~\"}", "line 1: this line is no JSON document"},
	{text.JSON, "t", "", "{\n\"t\":\"~\"}{\n\"~\":\"~\"}", `record 2: there is no field "t"`},
	{text.JSON, "t", "", "{\"t\":\"~\n\"}", "line 1: not a JSON document"},
	{text.JSON, "t", "", "{\"t\":\"~\"}\n{\n\"t\":\"~\"}", "line 2: not a JSON document"},
}

func TestNoErrorOfAReaderHoldsBytesOfTheInput(t *testing.T) {
	tried, kinds := map[string]bool{}, map[fault.Kind]bool{}
	for _, c := range broken {
		tried[c.format.Name] = true
		var fields []string
		if c.field != "" {
			fields = []string{c.field}
		}
		in := []byte(strings.ReplaceAll(c.in, "~", marker))
		found := false
		for _, err := range readEverywhere(c.format, in, fields, c.by) {
			if shown := tells(err); shown != "" {
				t.Errorf("%s: the error for %.60q holds %s: %v", c.format, in, shown, err)
			}
			if of := fault.Error(nil); errors.As(err, &of) {
				kinds[of.FaultKind()] = true
			}
			found = found || err != nil && strings.Contains(err.Error(), c.want)
		}
		if !found && c.want != "" {
			t.Errorf("%s: no reader says of %.60q that %s", c.format, in, c.want)
		}
	}
	// Length is of 256 MiB or a header, and spans and caps are of no reader.
	for _, kind := range fault.Kinds() {
		if !kinds[kind] && kind != fault.Spans && kind != fault.Cap {
			t.Errorf("no case is of the kind %s", kind)
		}
	}
	if kinds[""] {
		t.Error("an error has no kind")
	}
	for _, name := range formats.Names() {
		if !tried[name] {
			t.Errorf("%s has no case", name)
		}
	}
}

// Each byte of a small Parquet file is damaged in turn. Names, values and
// metadata are marked.
func TestNoErrorOverDamagedParquetHoldsItsBytes(t *testing.T) {
	schema := goparquet.NewSchema(marker, goparquet.Group{
		marker:       goparquet.Encoded(goparquet.String(), &goparquet.RLEDictionary),
		"n" + marker: goparquet.Leaf(goparquet.Int64Type),
		"t":          goparquet.Optional(goparquet.String()),
	})
	var b bytes.Buffer
	w := goparquet.NewGenericWriter[any](&b, schema, goparquet.KeyValueMetadata(marker, marker))
	for i := range 3 {
		if _, err := w.WriteRows([]goparquet.Row{{
			goparquet.ByteArrayValue([]byte(marker)).Level(0, 0, 0),
			goparquet.Int64Value(int64(i)).Level(0, 0, 1),
			goparquet.ByteArrayValue([]byte(marker)).Level(0, 1, 2),
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	failed := 0
	for at := range whole {
		in := slices.Clone(whole)
		in[at] ^= []byte{0x01, 0x80, 0xff}[at%3]
		field := []string{"t", "t", "T", "n", "t"}[at%5]
		err := text.Scan(bytes.NewReader(in), text.Copying{Format: parquet.Format, Fields: []string{field}}, func(string, [][]byte) error { return nil })
		if err == nil {
			err = text.Transcribe(io.Discard, bytes.NewReader(in), text.Copying{Format: parquet.Format, Fields: []string{field}, Change: always("x")})
		}
		if shown := tells(err); shown != "" {
			t.Fatalf("the error after damage at byte %d holds %s: %v", at, shown, err)
		}
		if err != nil {
			failed++
		}
	}
	if failed < len(whole)/2 {
		t.Errorf("%d damages were noticed in %d bytes", failed, len(whole))
	}
}

// FuzzErrors: whatever is wrong with an input, no error repeats it.
func FuzzErrors(f *testing.F) {
	for _, c := range broken {
		if len(c.in) < 1000 {
			f.Add(c.in, byte(slices.Index(formats, c.format)))
		}
	}
	f.Fuzz(func(t *testing.T, shape string, which byte) {
		format := formats[int(which)%len(formats)]
		in := []byte(strings.ReplaceAll(shape, "~", marker))
		for _, field := range []string{"", "t", "T", "t[*].u"} {
			var fields []string
			if field != "" {
				fields = []string{field}
			}
			for _, err := range readEverywhere(format, in, fields, "u") {
				if shown := tells(err); shown != "" {
					t.Fatalf("the error for %q holds %s: %v", in, shown, err)
				}
			}
		}
	})
}
