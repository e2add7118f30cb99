package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// shout stands for a mechanism: upper case, so that every text changes.
func shout(texts [][]byte, _ uint64) ([][]byte, error) {
	out := make([][]byte, len(texts))
	for i, t := range texts {
		out[i] = bytes.ToUpper(t)
	}
	return out, nil
}

func same(texts [][]byte, _ uint64) ([][]byte, error) { return texts, nil }

// always gives one private text for every text.
func always(private string) Rewriter {
	return func(texts [][]byte, _ uint64) ([][]byte, error) {
		out := make([][]byte, len(texts))
		for i := range out {
			out[i] = []byte(private)
		}
		return out, nil
	}
}

func copied(t testing.TB, in string, o Options) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Copy(context.Background(), &out, strings.NewReader(in), o)
	return out.String(), err
}

func TestOnlyTheChosenTextsChange(t *testing.T) {
	for _, c := range []struct {
		name     string
		format   Format
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
			o := Options{Format: c.format, Fields: fields, Rewrite: shout}
			if got, err := copied(t, c.in, o); err != nil || got != c.want {
				t.Errorf("%q becomes %q (%v), want %q", c.in, got, err, c.want)
			}
			// However the input arrives, the output is the same.
			for _, o.Prompt = range []bool{false, true} {
				var slow bytes.Buffer
				if err := Copy(t.Context(), &slow, iotest.OneByteReader(strings.NewReader(c.in)), o); err != nil || slow.String() != c.want {
					t.Errorf("byte by byte, %q becomes %q (%v), want %q", c.in, slow.String(), err, c.want)
				}
			}
		})
	}
}

func TestAFaultIsNamedByItsLineAndNeverByItsText(t *testing.T) {
	for _, c := range []struct {
		format Format
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
		{JSONL, "", `{}`, "jsonl needs --field, the path of a string, such as text or items[*].body"},
		{CSV, "b", "a,b\nsecret,x\nsecret\n", "line 3: 1 columns, must be 2 as in the header"},
		{CSV, "b", "a,b\n\"x\ny\",z\nsecret,x,secret\n", "line 4: 3 columns, must be 2 as in the header"},
		{CSV, "b", "a,b\nx,\"secret\n", "line 2: a quoted field does not end"},
		{CSV, "b", "a,b\nx,\"secret\"secret\n", "line 2: text after the closing quote of a field"},
		{CSV, "b", "a,b\nx,sec\"ret\n", "line 2: a quote inside a field that does not begin with one"},
		{CSV, "c", "a,b\n", `there is no column "c" in the header (columns: 2)`},
		{CSV, "", "a,b\n", "csv needs --field, the name of a column (columns in the header: 2)"},
		{CSV, "A", "secret,a \n", `there is no column "A" in the header (columns: 2); number 2 differs only in case or space`},
		{CSV, "A", "secret\n", `there is no column "A" in the header (columns: 1)`},
		{CSV, "a", "", "line 1: the file is empty, must begin with a header"},
		{CSV, "a", "\"a\n" + strings.Repeat("secret\n", 1<<18), "line 1: the header is longer than 1 MiB"},
		{TSV, "b", "a\tb\nsecret\tx\tx\n", "line 2: 3 columns, must be 2 as in the header"},
		{Lines, "b", "secret\n", "lines have no fields: choose --format jsonl, csv or tsv, or leave out --field"},
		{"xml", "", "", `format "xml" is unknown, must be one of lines, text, jsonl, csv, tsv, parquet`},
	} {
		_, err := copied(t, c.in, Options{Format: c.format, Fields: strings.Fields(c.fields), Rewrite: same})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s %.40q: %v, want %s", c.format, c.in, err, c.want)
		}
	}
}

func TestAPrivateTextStaysInItsField(t *testing.T) {
	const private = "a \"b\", c\td\ne\r"
	for _, c := range []struct {
		format   Format
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
		if got, err := copied(t, c.in, Options{Format: c.format, Fields: fields, Rewrite: always(private)}); err != nil || got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.format, got, err, c.want)
		}
	}
}

// endless is a file of numbered lines. It counts how far it was read.
type endless struct{ line, lines int64 }

func (e *endless) Read(p []byte) (int, error) {
	at := 0
	for ; e.line < e.lines && len(p)-at > 64; e.line++ {
		at += copy(p[at:], fmt.Sprintf("line %050d\n", e.line))
	}
	if at == 0 {
		return 0, io.EOF
	}
	return at, nil
}

// inOrder checks numbered lines, and how far the reader has run ahead of them.
type inOrder struct {
	t       *testing.T
	source  *endless
	written int64
	rest    []byte
}

func (o *inOrder) Write(p []byte) (int, error) {
	o.rest = append(o.rest, p...)
	for {
		i := bytes.IndexByte(o.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		if want := fmt.Sprintf("LINE %050d", o.written); string(o.rest[:i]) != want {
			o.t.Fatalf("line %d is not the one that was read there", o.written)
		}
		o.rest = o.rest[i+1:]
		o.written++
	}
}

func TestOrderIsKeptUnderParallelWorkers(t *testing.T) {
	source := &endless{lines: 100_000} // 5.6 MB, about 20 batches
	sink := &inOrder{t: t, source: source}
	var calls atomic.Int64
	uneven := func(texts [][]byte, stream uint64) ([][]byte, error) {
		calls.Add(1)
		for range stream % 5 { // some batches take longer than those after them
			_, _ = shout(texts, stream)
		}
		return shout(texts, stream)
	}
	if err := Copy(t.Context(), sink, source, Options{Rewrite: uneven, Workers: 4}); err != nil {
		t.Fatal(err)
	}
	if sink.written != source.lines {
		t.Errorf("%d lines were written of %d", sink.written, source.lines)
	}
	if calls.Load() < 10 {
		t.Errorf("%d batches for 4 workers show nothing about order", calls.Load())
	}
}

// The reader stops when the writer does, so memory is bounded by the batches in flight.
func TestAStalledWriterStallsTheReader(t *testing.T) {
	source := &endless{lines: 1 << 40}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const workers = 2
	var batches atomic.Int64
	gate := make(chan struct{})
	done := make(chan error)
	go func() {
		done <- Copy(ctx, writerFunc(func(p []byte) (int, error) {
			if len(p) > 0 {
				<-gate
			}
			return len(p), nil
		}), source, Options{Workers: workers, Rewrite: func(texts [][]byte, _ uint64) ([][]byte, error) {
			// One batch is at the writer, 2 workers' worth waits in order, and
			// the reader holds one more.
			if n := batches.Add(1); n == 2*workers+1 {
				stop()
			} else if n > 4*workers+4 {
				t.Errorf("%d batches were rewritten before the first was written", n)
			}
			return texts, nil
		}})
	}()
	<-ctx.Done()
	close(gate)
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled copy ends with %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestFailuresStopTheCopy(t *testing.T) {
	broken := errors.New("broken")
	in := func() io.Reader { return &endless{lines: 100_000} }
	fails := func([][]byte, uint64) ([][]byte, error) { return nil, broken }
	if err := Copy(t.Context(), io.Discard, in(), Options{Rewrite: fails}); !errors.Is(err, broken) {
		t.Errorf("a failed rewrite ends with %v", err)
	}
	full := writerFunc(func([]byte) (int, error) { return 0, broken })
	if err := Copy(t.Context(), full, in(), Options{Rewrite: same}); !errors.Is(err, broken) {
		t.Errorf("a full disk ends with %v", err)
	}
	if err := Copy(t.Context(), io.Discard, io.MultiReader(in(), iotest.ErrReader(broken)), Options{Rewrite: same}); !errors.Is(err, broken) {
		t.Errorf("an unreadable file ends with %v", err)
	}
	short := func(texts [][]byte, _ uint64) ([][]byte, error) { return texts[1:], nil }
	if err := Copy(t.Context(), io.Discard, in(), Options{Rewrite: short}); err == nil {
		t.Error("a rewrite that loses a text goes unnoticed")
	}
}

// A line that is typed is answered before the next is typed.
func TestAPromptCopyDoesNotWait(t *testing.T) {
	typed, keyboard := io.Pipe()
	screen, shown := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := Copy(t.Context(), shown, typed, Options{Rewrite: shout, Prompt: true})
		shown.Close()
		done <- err
	}()
	for _, line := range []string{"a\n", "two\n"} {
		if _, err := io.WriteString(keyboard, line); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(line))
		if _, err := io.ReadFull(screen, got); err != nil || string(got) != strings.ToUpper(line) {
			t.Fatalf("%q is answered by %q (%v)", line, got, err)
		}
	}
	keyboard.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestTheNameTellsTheFormat(t *testing.T) {
	for name, want := range map[string]Format{
		"a": Lines, "a.txt": Lines, "a.txt.gz": Lines, "a.csv": CSV, "a.tsv.gz": TSV, "dir.csv/a.JSONL.zst": JSONL, "a.ndjson": JSONL, "-": Lines,
	} {
		if got := FormatOf(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

// Rewriting each text to itself, or to any text, leaves a table of the same
// shape, with the other columns as they were.
func TestTablesKeepTheirOtherColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]Format{CSV, TSV}).Draw(t, "format")
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
		if err := Copy(context.Background(), &out, strings.NewReader(in), Options{Format: format, Fields: []string{"t"}, Rewrite: always("new")}); err != nil {
			t.Fatalf("%q: %v", in, err)
		}
		if out.String() != want {
			t.Fatalf("%q becomes %q, want %q", in, out.String(), want)
		}
	})
}
