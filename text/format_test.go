package text

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// shout takes the place of a mechanism: upper case, so that every text changes.
func shout(texts [][]byte, _ uint64) ([][]byte, error) {
	out := make([][]byte, len(texts))
	for i, t := range texts {
		out[i] = bytes.ToUpper(t)
	}
	return out, nil
}

func same(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }

// always gives one private text for every text.
func always(private string) Change {
	return func(texts [][]byte, _ uint64) ([][]byte, error) {
		out := make([][]byte, len(texts))
		for i := range out {
			out[i] = []byte(private)
		}
		return out, nil
	}
}

func copied(t testing.TB, in string, o Copying) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Transcribe(&out, strings.NewReader(in), o)
	return out.String(), err
}

func TestOnlyTheChosenTextsChange(t *testing.T) {
	for _, c := range []struct {
		name     string
		format   *Format
		fields   string
		in, want string
	}{
		{"nothing", Lines, "", "", ""},
		{"lines", Lines, "", "one\n\ntwo\n", "ONE\n\nTWO\n"},
		{"the last line may be open", Lines, "", "one\ntwo", "ONE\nTWO"},
		{"a line end is not text", Lines, "", "one\r\n\r\ntwo\n", "ONE\n\nTWO\n"},
		{"a byte order mark is not text", Lines, "", "\ufeffone\n", "ONE\n"},
		{"a short input is not taken for a mark", Lines, "", "\ufee0", "\ufee0"},
		{"text keeps its lines", Text, "", "one\n  two\n", "ONE\n  TWO\n"},

		{"tsv", TSV, "b", "a\tb\tc\n1\tx\ty\n2\tz\t\n", "a\tb\tc\n1\tX\ty\n2\tZ\t\n"},
		{"a quote in tsv is data", TSV, "b", "a\tb\n\"x\t\"y\n", "a\tb\n\"x\t\"Y\n"},
		{"tsv with crlf", TSV, "b", "a\tb\r\nx\ty\r\n", "a\tb\r\nx\tY\r\n"},
		{"tsv with an empty last field", TSV, "b", "a\tb\r\nx\t\r\n", "a\tb\r\nx\t\r\n"},
		{"tsv with a mark", TSV, "a", "\ufeffa\tb\nx\ty\n", "\ufeffa\tb\nX\ty\n"},
		{"records end as the header does", TSV, "b", "a\tb\nx\ty\r\nz\tw\n", "a\tb\nx\tY\nz\tW\n"},
		{"tsv that ends in a carriage return", TSV, "b", "a\tb\r\nx\ty\r\nz\tw\r", "a\tb\r\nx\tY\r\nz\tW"},
		{"csv that ends in a carriage return", CSV, "b", "a,b\r\nx,y\r\nz,\"w\"\r", "a,b\r\nx,Y\r\nz,W"},
		{"a public last field keeps its carriage return", TSV, "a", "a\tb\nx\ty\r", "a\tb\nX\ty\r"},
		{"lines that end in a carriage return", Lines, "", "one\r\ntwo\r", "ONE\nTWO"},
		{"a public last field keeps its line end", TSV, "a", "a\tb\nx\ty\r\nz\tw\n", "a\tb\nX\ty\r\nZ\tw\n"},
		{"an open last record", TSV, "a", "a\tb\nx\ty", "a\tb\nX\ty"},
		{"a header alone", TSV, "a", "a\tb", "a\tb"},

		{"csv", CSV, "b", "a,b\nx,y\n", "a,b\nx,Y\n"},
		{"two columns", CSV, "a b", "a,b,c\nx,y,z\n", "a,b,c\nX,Y,z\n"},
		{"a name that stands twice", CSV, "a", "a,b,a\nx,y,z\n", "a,b,a\nX,y,Z\n"},
		{"csv quotes", CSV, "b", "a,b\n\"x,\"\"1\",\"y \"\"q\"\", z\"\n", "a,b\n\"x,\"\"1\",\"Y \"\"Q\"\", Z\"\n"},
		{"csv line breaks", CSV, "b", "a,b\n\"x\ny\",\"p\r\nq\"\nr,s\n", "a,b\n\"x\ny\",\"P\r\nQ\"\nr,S\n"},
		{"csv with crlf", CSV, "b", "a,b\r\nx,\"y\"\r\nz,w\r\n", "a,b\r\nx,Y\r\nz,W\r\n"},
		{"csv with a mark", CSV, "a", "\ufeff\"a\",b\nx,y\n", "\ufeff\"a\",b\nX,y\n"},
		{"a line break in the header", CSV, "a\nb", "\"a\nb\",c\nx,y\n", "\"a\nb\",c\nX,y\n"},
		{"quotes of other columns are kept", CSV, "b", "a,b\n\"x\",\"y\"\n", "a,b\n\"x\",Y\n"},
		{"an empty field", CSV, "b", "a,b\nx,\"\"\ny,\n", "a,b\nx,\ny,\n"},
		{"an empty record of one column", CSV, "b", "b\n\"\"\n\nx\n", "b\n\"\"\n\"\"\nX\n"},
		{"an empty line", CSV, "b", "a,b\n\nx,y\n", "a,b\n\nx,Y\n"},

		{"jsonl", JSONL, "t", `{"t":"x","u":"y"}` + "\n", `{"t":"X","u":"y"}` + "\n"},
		{"json spacing is kept", JSONL, "t", " { \"u\" : 1.0e2 ,\t\"t\" : \"x\" } \r\n", " { \"u\" : 1.0e2 ,\t\"t\" : \"X\" } \r\n"},
		{"nested", JSONL, "a.b", `{"b":"n","a":{"b":"x","c":"n"}}`, `{"b":"n","a":{"b":"X","c":"n"}}`},
		{"every element", JSONL, "i[*].t", `{"i":[{"t":"x"},{"t":"y"},{"u":"z"}]}`, `{"i":[{"t":"X"},{"t":"Y"},{"u":"z"}]}`},
		{"one element", JSONL, "i.1.t", `{"i":[{"t":"x"},{"t":"y"}]}`, `{"i":[{"t":"x"},{"t":"Y"}]}`},
		{"one element in brackets", JSONL, "i[0][1]", `{"i":[["x","y"],["z"]]}`, `{"i":[["x","Y"],["z"]]}`},
		{"lists without elements", JSONL, "i[*].t", `{"i":[]}`, `{"i":[]}`},
		{"a key that stands twice", JSONL, "t", `{"t":"x","t":"y"}`, `{"t":"X","t":"Y"}`},
		{"two paths to one text", JSONL, "i[*] i.0", `{"i":["x"]}`, `{"i":["X"]}`},
		{"escapes are read", JSONL, "t", `{"t":"a\u0062\n\"","u":"\u0061"}`, `{"t":"AB\n\"","u":"\u0061"}`},
		{"escaped keys", JSONL, "t", `{"\u0074":"x"}`, `{"\u0074":"X"}`},
		{"null holds no text", JSONL, "t", `{"t":null}`, `{"t":null}`},
		{"empty lines", JSONL, "t", "{\"t\":\"x\"}\n\n", "{\"t\":\"X\"}\n\n"},
		{"jsonl with a mark", JSONL, "t", "\ufeff{\"t\":\"x\"}\n", "{\"t\":\"X\"}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fields []string
			if c.fields != "" {
				fields = strings.Split(c.fields, " ")
			}
			o := Copying{Format: c.format, Fields: fields, Change: shout}
			if got, err := copied(t, c.in, o); err != nil || got != c.want {
				t.Errorf("%q becomes %q (%v), want %q", c.in, got, err, c.want)
			}
			// The output does not depend on how the input arrives.
			for _, o.Prompt = range []bool{false, true} {
				var slow bytes.Buffer
				if err := Transcribe(&slow, iotest.OneByteReader(strings.NewReader(c.in)), o); err != nil || slow.String() != c.want {
					t.Errorf("byte by byte, %q becomes %q (%v), want %q", c.in, slow.String(), err, c.want)
				}
			}
		})
	}
}

func TestFaultIsNamedByItsLineAndNeverByItsText(t *testing.T) {
	for _, c := range []struct {
		format *Format
		fields string
		in     string
		want   string
	}{
		{JSONL, "t", "{\"t\":\"secret\"}\n{\"t\":secret}\n", "line 2: not a JSON document"},
		{JSONL, "t", "{\"t\":\"secret\"} {}\n", "line 1: not a JSON document"},
		{JSONL, "t", "\n{\"u\":\"secret\"}\n", `line 2: there is no field "t"`},
		{JSONL, "t", `{"t":{"secret":"secret"}}`, `line 1: field "t" is not a string`},
		{JSONL, "t", `{"t":12}`, `line 1: field "t" is not a string`},
		{JSONL, "a..b", `{}`, `path "a..b" has an empty step`},
		{JSONL, "", `{}`, "jsonl needs a field, the path of a string, such as text or items[*].body"},
		{CSV, "b", "a,b\nsecret,x\nsecret\n", "line 3: the number of columns is 1, the header has 2"},
		{CSV, "b", "a,b\n\"x\ny\",z\nsecret,x,secret\n", "line 4: the number of columns is 3, the header has 2"},
		{CSV, "b", "a,b\nx,\"secret\n", "line 2: a quoted field does not end"},
		{CSV, "b", "a,b\nx,\"secret\"secret\n", "line 2: text after the closing quote of a field"},
		{CSV, "b", "a,b\nx,sec\"ret\n", "line 2: a quote inside a field that does not begin with one"},
		{CSV, "c", "a,b\n", `there is no column "c" in the header (columns: 2)`},
		{CSV, "", "a,b\n", "csv needs a field, the name of a column (columns in the header: 2)"},
		{CSV, "A", "secret,a \n", `there is no column "A" in the header (columns: 2); number 2 differs only in case or space`},
		{CSV, "A", "secret\n", `there is no column "A" in the header (columns: 1); csv separates columns by commas, not semicolons or tabs`},
		{CSV, "a", "", "line 1: the file is empty, want a header in its first line"},
		{CSV, "a", "\"a\n" + strings.Repeat("secret\n", 1<<18), "line 1: the header is longer than 1 MiB"},
		{TSV, "b", "a\tb\nsecret\tx\tx\n", "line 2: the number of columns is 3, the header has 2"},
		{Lines, "b", "secret\n", "the file is read as lines, and lines have no fields: choose the format jsonl, csv or tsv, or leave the fields out"},
	} {
		_, err := copied(t, c.in, Copying{Format: c.format, Fields: strings.Fields(c.fields), Change: same})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %.40q: %v, want %s", c.format, c.in, err, c.want)
		}
	}
}

func TestPrivateTextStaysInItsField(t *testing.T) {
	const private = "a \"b\", c\td\ne\r"
	for _, c := range []struct {
		format   *Format
		in, want string
	}{
		{Lines, "x\ny\n", "a \"b\", c d e \na \"b\", c d e \n"},
		{TSV, "t\tu\nx\ty\n", "t\tu\na \"b\", c d e \ty\n"},
		{CSV, "t,u\nx,y\n", "t,u\n\"a \"\"b\"\", c\td\ne\r\",y\n"},
		{JSONL, `{"t":"x","u":"y"}`, `{"t":"a \"b\", c\td\ne\r","u":"y"}`},
	} {
		var fields []string
		if c.format != Lines {
			fields = []string{"t"}
		}
		if got, err := copied(t, c.in, Copying{Format: c.format, Fields: fields, Change: always(private)}); err != nil || got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.format, got, err, c.want)
		}
	}
}

func TestBatchTakesBackOneTextForEach(t *testing.T) {
	short := func(texts [][]byte, _ uint64) ([][]byte, error) { return texts[1:], nil }
	if _, err := copied(t, "a\nb\n", Copying{Change: short}); err == nil {
		t.Error("a text that is lost goes unnoticed")
	}
}

// The originals are never written, whatever the caller forgets.
func TestBatchIsNotWrittenBeforeItsTextsAreReplaced(t *testing.T) {
	for _, c := range []struct {
		format *Format
		in     string
		fails  bool
	}{
		{Lines, "secret\n", true},
		{CSV, "t\nsecret\n", true},
		{JSONL, "{\"t\":\"secret\"}\n", true},
		{JSONL, "{\"t\":null}\n", false},
	} {
		for _, read := range []bool{false, true} {
			var fields []string
			if c.format != Lines {
				fields = []string{"t"}
			}
			r, err := c.format.Open(strings.NewReader(c.in), Options{Fields: fields})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := r.Begin(&out); err != nil {
				t.Fatal(err)
			}
			b, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if read {
				if _, err := b.Texts(); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.Write(); errors.Is(err, ErrNotReplaced) != (c.fails || !read) || strings.Contains(out.String(), "secret") {
				t.Errorf("%s, its texts read %t: %v, and %q is written", c.format, read, err, out.String())
			}
		}
	}
}

func TestTableFindsTheFormatByFileName(t *testing.T) {
	for name, want := range map[string]*Format{
		"a": Lines, "a.txt": Lines, "a.txt.gz": Lines, "a.csv": CSV, "a.tsv.gz": TSV, "dir.csv/a.JSONL.zst": JSONL, "a.ndjson": JSONL, "-": Lines,
	} {
		if got := Formats().Of(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Rewriting each text to itself, or to any text, leaves a table of the same
// shape, with the other columns as they were.
func TestTablesKeepTheirOtherColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]*Format{CSV, TSV}).Draw(t, "format")
		cell := rapid.SampledFrom([]string{"", "x", "a b", "\u00e9", "#", "1.5"})
		comma, end := "\t", rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		if format == CSV {
			comma = ","
			cell = rapid.SampledFrom([]string{"", "x", `""`, `"a,b"`, "\"a\nb\"", `"a""b"`, "\"\r\n\"", "a b"})
		} else {
			cell = rapid.OneOf(cell, rapid.Just(`"`), rapid.Just(`a"b`))
		}
		in, want := "k"+comma+"t"+comma+"l"+end, "k"+comma+"t"+comma+"l"+end
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			k, x, l := cell.Draw(t, "k"), cell.Draw(t, "t"), cell.Draw(t, "l")
			in += k + comma + x + comma + l + end
			want += k + comma + "new" + comma + l + end
		}
		var out bytes.Buffer
		if err := Transcribe(&out, strings.NewReader(in), Copying{Format: format, Fields: []string{"t"}, Change: always("new")}); err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		if out.String() != want {
			t.Fatalf("%q becomes %q, want %q", in, out.String(), want)
		}
	})
}
