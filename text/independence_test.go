package text_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	goparquet "github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto/files/compress"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/parquet"
)

// These tests show that an output depends on the original texts through their
// private copies alone. They rewrite by a stub that gives every text the same
// copy: then the outputs of two inputs must be equal.

// layoutCase is one format.
type layoutCase struct {
	fields []string
	// same are groups of files that differ only in the private texts and in how
	// they are written.
	same [][]string
	// build writes one record for each text, as programs commonly do.
	build func(texts []string) string
	// breaks: a text may hold line breaks and tabs.
	breaks bool
}

// formats has every format.
var formats = text.Formats(parquet.Format)

// layouts has every format of text.Formats.
var layouts = map[*text.Format]layoutCase{
	text.Lines: {
		same: [][]string{
			{"x\ny\n", "x\r\ny\n", " x \ny\n", "\ufeffx\ny\n", "a longer text\ny\n"},
			{"x", "y\r", "\ufeffx"},
		},
		build: func(texts []string) string { return strings.Join(texts, "\n") + "\n" },
	},
	text.Text: {
		same:  [][]string{{"x\ny\n", "x\r\ny\n", "\tx\ny\n", "\ufeffx\ny\n"}},
		build: func(texts []string) string { return strings.Join(texts, "\n") + "\n" },
	},
	text.JSONL: {
		fields: []string{"t"},
		same: [][]string{
			{`{"t":"A/é","u":"\u0041"}`, `{"t":"\u0041\/\u00E9","u":"\u0041"}`, `{"t":"","u":"\u0041"}`},
			{"{ \"t\" : \"x\" }\r\n{\"t\":null}\n", "{ \"t\" : \"\\n\" }\r\n{\"t\":null}\n"},
		},
		build: func(texts []string) string {
			var b bytes.Buffer
			for _, t := range texts {
				_ = json.NewEncoder(&b).Encode(map[string]any{"a": 1.5, "t": t, "z": nil})
			}
			return b.String()
		},
		breaks: true,
	},
	text.JSON: {
		fields: []string{"t"},
		same: [][]string{
			{`[{"t":"A/é","u":"\u0041"}]`, `[{"t":"\u0041\/\u00E9","u":"\u0041"}]`, ` [ {"t":"","u":"\u0041"}]`},
			{"[{ \"t\" : \"x\"}\r\n, {\"t\":null}]", "\ufeff[{ \"t\" : \"\\n]\"}\r\n,\n{\"t\":null}\n]\n"},
			{"{\"t\":\"x\"}\n", "{\"t\":\"[\"}\n"},
		},
		build: func(texts []string) string {
			var rows []map[string]any
			for _, t := range texts {
				rows = append(rows, map[string]any{"a": 1.5, "t": t, "z": nil})
			}
			b, _ := json.MarshalIndent(rows, "", " ")
			return string(b)
		},
		breaks: true,
	},
	text.CSV: {
		fields: []string{"t"},
		same: [][]string{
			{"t,u\nx,y\n", "t,u\n\"x\",y\n", "t,u\n\"a, \"\"b\"\"\nc\",y\n", "t,u\n,y\n", "t,u\n\"\",y\n", "t,u\n x ,y\n"},
			{"u,t\ny,x\n", "u,t\ny,\"x\"\n", "u,t\ny,x\r\n", "u,t\ny,\"x\r\"\n", "u,t\ny,\"x\"\r\n", "u,t\ny,\n", "u,t\ny,\"\"\r\n"},
			{"u,t\r\ny,x\r\n", "u,t\r\ny,\"x\"\r\n", "u,t\r\ny,x\n"},
			{"t\nx\n", "t\n\"x\"\n", "t\n\"\"\n", "t\n\n", "t\n\r\n", "t\nx\r\n"},
			{"u,t\ny,x", "u,t\ny,\"x\"", "u,t\ny,x\r", "u,t\ny,\"x\"\r", "u,t\ny,\r"},
		},
		build: func(texts []string) string {
			var b bytes.Buffer
			w := csv.NewWriter(&b)
			_ = w.Write([]string{"n", "t"})
			for _, t := range texts {
				_ = w.Write([]string{"1,5", t})
			}
			w.Flush()
			return b.String()
		},
		breaks: true,
	},
	text.TSV: {
		fields: []string{"t"},
		same: [][]string{
			{"t\tu\nx\ty\n", "t\tu\n\"x\"\ty\n", "t\tu\nx\r\ty\n", "t\tu\n\ty\n"},
			{"u\tt\ny\tx\n", "u\tt\ny\tx\r\n", "u\tt\ny\t\n", "u\tt\ny\t\r\n"},
			{"u\tt\r\ny\tx\r\n", "u\tt\r\ny\tx\n"},
			{"t\nx\n", "t\n\n", "t\n\r\n"},
		},
		build: func(texts []string) string { return "n\tt\n1\t" + strings.Join(texts, "\n1\t") + "\n" },
	},
	parquet.Format: {
		fields: []string{"t"},
		same: [][]string{{
			column[struct {
				T string `parquet:"t"`
			}](),
			column[struct {
				T string `parquet:"t,dict"`
			}](),
			column[struct {
				T string `parquet:"t,delta"`
			}](goparquet.BloomFilters(goparquet.SplitBlockFilter(10, "t"))),
			column[struct {
				T string `parquet:"t,plain"`
			}](goparquet.PageBufferSize(64), goparquet.DataPageStatistics(true)),
		}},
		build: func(texts []string) string {
			type row struct {
				N int64  `parquet:"n"`
				T string `parquet:"t,dict"`
			}
			var b bytes.Buffer
			// Most writers drop a dictionary when it grows.
			w := goparquet.NewGenericWriter[row](&b, goparquet.DictionaryMaxBytes(4096))
			for _, t := range texts {
				_, _ = w.Write([]row{{1, t}})
			}
			_ = w.Close()
			return b.String()
		},
		breaks: true,
	},
}

// column returns a file of 50 rows without a text.
func column[Row any](options ...goparquet.WriterOption) string {
	var b bytes.Buffer
	w := goparquet.NewGenericWriter[Row](&b, options...)
	_, _ = w.Write(make([]Row, 50))
	_ = w.Close()
	return b.String()
}

// always gives every text the same copy.
func always(private string) text.Change {
	return func(texts [][]byte, _ uint64) ([][]byte, error) {
		return slices.Repeat([][]byte{[]byte(private)}, len(texts)), nil
	}
}

// released returns the output of one input, in the file of a name.
func released(t *testing.T, format *text.Format, in, private, name string) string {
	t.Helper()
	var out bytes.Buffer
	w, err := compress.NewWriter(name, &out)
	if err != nil {
		t.Fatal(err)
	}
	fields := layouts[format].fields
	if err := text.Transcribe(w, strings.NewReader(in), text.Copying{Format: format, Fields: fields, Change: always(private)}); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var privates = []string{"", "word", "a, b", `say "so"`, "a\tb\nc", "é"}

func TestHowATextWasWrittenIsNotKept(t *testing.T) {
	for _, name := range formats.Names() {
		format := formats.Named(name)
		c, ok := layouts[format]
		if !ok {
			t.Errorf("%s has no case", name)
		}
		for _, group := range c.same {
			for _, private := range privates {
				want := released(t, format, group[0], private, "")
				for _, in := range group[1:] {
					if got := released(t, format, in, private, ""); got != want {
						t.Errorf("%s: with the private text %q, %.60q becomes %.60q, and %.60q becomes %.60q", name, private, group[0], want, in, got)
					}
				}
			}
		}
	}
}

// Neither the length of the texts, nor how many differ, nor what they hold shows
// in the output: not in pages, compressed blocks or the way fields are quoted.
func TestNothingButThePrivateTextsTellsInputsApart(t *testing.T) {
	const records = 3000
	kinds := []func(i int) string{
		func(int) string { return "x" },
		func(i int) string { return fmt.Sprintf("a text of its own %d", i) },
		func(i int) string { return strings.Repeat("long ", 100+i%7) },
		func(i int) string { return strings.Repeat(`a, "b" é`, i%3) },
		func(i int) string { return []string{"one\ntwo", "three\r\n", "\tfour", "\r"}[i%4] },
	}
	for _, name := range formats.Names() {
		format := formats.Named(name)
		for _, file := range []string{"out", "out.gz", "out.zst"} {
			want := ""
			for k, kind := range kinds {
				if k == len(kinds)-1 && !layouts[format].breaks {
					continue
				}
				texts := make([]string, records)
				for i := range texts {
					texts[i] = kind(i)
				}
				got := released(t, format, layouts[format].build(texts), "the private text", file)
				if k == 0 {
					want = got
				} else if got != want {
					t.Errorf("%s in %s: texts of kind %d show: %d bytes, not %d", name, file, k, len(got), len(want))
				}
			}
		}
	}
}

// Pages of Parquet end where the private texts fill them, wherever those of the
// input ended.
func TestPagesOfParquetEndAlikeWhateverTheTexts(t *testing.T) {
	const records = 150_000
	c := layouts[parquet.Format]
	want := released(t, parquet.Format, c.build(slices.Repeat([]string{"x"}, records)), "the private text", "")
	got := released(t, parquet.Format, c.build(slices.Repeat([]string{strings.Repeat("long ", 30), "", "a b"}, records/3)), "the private text", "")
	if got != want {
		t.Errorf("the files differ: %d and %d bytes", len(want), len(got))
	}
}

// How many records a part holds does not depend on how long they are.
func TestPartsHoldAsManyRecordsWhateverTheTexts(t *testing.T) {
	const records = 2*text.PartRecords + 10
	for _, name := range formats.Names() {
		format := formats.Named(name)
		if format == parquet.Format || format == text.JSON {
			continue // its parts are the row groups of the input, or it has none
		}
		for _, one := range []string{"x", strings.Repeat("long ", 200), `a, "b"`} {
			in := layouts[format].build(slices.Repeat([]string{one}, records))
			var held []int
			err := text.EachPart(strings.NewReader(in), text.Copying{Format: format, Fields: layouts[format].fields}, func(p text.Part) error {
				n := 0
				o := text.Copying{Format: format, Fields: layouts[format].fields}
				err := text.Scan(io.MultiReader(bytes.NewReader(p.Header), bytes.NewReader(p.Data)), o, func(_ string, texts [][]byte) error {
					n += len(texts)
					return nil
				})
				held = append(held, n)
				return err
			})
			if want := []int{text.PartRecords, text.PartRecords, 10}; err != nil || !slices.Equal(held, want) {
				t.Errorf("%s: parts hold %d records of %q (%v), want %d", name, held, one, err, want)
			}
		}
	}
}
