package text

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/text/internal/records"
)

// Records with line breaks inside quotes, many batches long: a batch must never
// end inside a record, wherever in the record the read ended.
func TestBatchesEndBetweenRecords(t *testing.T) {
	for _, record := range []string{
		"\"one, \"\"two\"\"\nthree\",x\n",
		"\"no line break inside\",\"y\"\n",
		"x,\"\n\n\n\"\r\n",
	} {
		in := "a,b\n" + strings.Repeat(record, 3*records.AtOnce/len(record))
		var texts int
		count := func(batch [][]byte, _ uint64) ([][]byte, error) { texts += len(batch); return batch, nil }
		got, err := copied(t, in, Copying{Format: CSV, Fields: []string{"a"}, Change: count})
		want := strings.ReplaceAll(in, `"no line break inside"`, "no line break inside")
		if err != nil || got != want || texts != strings.Count(in, record) {
			t.Errorf("%q: %v, %d texts of %d", record, err, texts, strings.Count(in, record))
		}
	}
}

// A faulty line is named by its number in the file, also far into it.
func TestLineNumbersHoldAcrossBatches(t *testing.T) {
	good := strings.Repeat("{\"t\":\"x\"}\n", records.AtOnce/5)
	_, err := copied(t, good+"{\n", Copying{Format: JSONL, Fields: []string{"t"}, Change: same})
	fault, ok := err.(*InputError)
	if !ok || fault.Line != records.AtOnce/5+1 {
		t.Errorf("%v, want line %d", err, records.AtOnce/5+1)
	}
}

// FuzzJSONLines: no input panics; what is accepted stays JSON of the same shape,
// with every other value as it was.
func FuzzJSONLines(f *testing.F) {
	for _, s := range []string{`{"t":"x","u":[1,{"t":"y"}]}`, "{\"t\":\"a\\u0062\\ud800\",\"t\":null}\n\n[]", "{\"t\" : \"\xff\"}\r\n", "[[[", `{"a":{"t":""}}`} {
		f.Add(s, "t")
		f.Add(s, "u[*].t")
	}
	f.Fuzz(func(t *testing.T, in, field string) {
		o := Copying{Format: JSONL, Fields: []string{field}, Change: always("private")}
		out, err := copied(t, in, o)
		if err != nil {
			return
		}
		before, after := strings.Split(in, "\n"), strings.Split(out, "\n")
		if len(before) != len(after) {
			t.Fatalf("%d lines become %d", len(before), len(after))
		}
		for i := range before {
			line := strings.TrimPrefix(before[i], "\ufeff")
			if strings.TrimSpace(line) != "" && !json.Valid([]byte(strings.TrimPrefix(after[i], "\ufeff"))) {
				t.Fatalf("%q becomes %q, which is not JSON", before[i], after[i])
			}
		}
		// Rewriting what was rewritten changes nothing: the same texts are found.
		if again, err := copied(t, out, o); err != nil || again != out {
			t.Fatalf("%q becomes %q (%v)", out, again, err)
		}
	})
}

// FuzzTables: no input panics; where encoding/csv reads the input too, every
// column but the chosen one is as it was.
func FuzzTables(f *testing.F) {
	for _, s := range []string{"a,b\nx,y\n", "a,b\r\n\"x\ny\",\"z\"\"\"\r\n", "a\tb\n\"\t\n", "\ufeffa\n\n\n", "a,a\n\",\"", "a\r"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, in string, quotes bool) {
		o := Copying{Format: TSV, Fields: []string{"a"}, Change: always("private")}
		if quotes {
			o.Format = CSV
		}
		out, err := copied(t, in, o)
		if err != nil {
			return
		}
		if again, err := copied(t, out, o); err != nil || again != out {
			t.Fatalf("%q becomes %q (%v)", out, again, err)
		}
		o.Change = same
		loose := strings.Contains(in, "\r") // becomes a space in a text; as part of a line end, what the header has
		if kept, err := copied(t, in, o); err != nil || !quotes && !loose && kept != in {
			t.Fatalf("rewriting texts to themselves makes %q of %q (%v)", kept, in, err)
		}
		if !quotes {
			return
		}
		before, err1 := read(in)
		after, err2 := read(out)
		if err1 != nil || len(before) == 0 || len(before[0]) == 1 {
			return // encoding/csv drops empty lines, which are records of one column
		}
		if err2 != nil || len(before) != len(after) {
			t.Fatalf("%q becomes %q (%v)", in, out, err2)
		}
		for i := range before {
			for j := range before[i] {
				if before[0][j] != "a" && before[i][j] != after[i][j] {
					t.Fatalf("%q becomes %q", in, out)
				}
				if i > 0 && before[0][j] == "a" && after[i][j] != "private" {
					t.Fatalf("%q becomes %q, which keeps a text", in, out)
				}
			}
		}
	})
}

func read(s string) ([][]string, error) {
	return csv.NewReader(strings.NewReader(strings.TrimPrefix(s, "\ufeff"))).ReadAll()
}

func BenchmarkCopy(b *testing.B) {
	row := "1\tThe food was terrible and my doctor in Boston agreed.\n"
	for _, c := range []struct {
		format *Format
		head   string
		row    string
		fields []string
	}{
		{Lines, "", row, nil},
		{TSV, "label\ttext\n", row, []string{"text"}},
		{CSV, "label,text\n", "1,\"The food was terrible, and my doctor in Boston agreed.\"\n", []string{"text"}},
		{JSONL, "", "{\"label\":1,\"text\":\"The food was terrible and my doctor in Boston agreed.\"}\n", []string{"text"}},
	} {
		in := []byte(c.head + strings.Repeat(c.row, 16*records.AtOnce/len(c.row)))
		b.Run(c.format.Name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				if err := Transcribe(discard{}, bytes.NewReader(in), Copying{Format: c.format, Fields: c.fields, Change: same}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// An empty line among records of several columns holds no text to rewrite.
func TestEmptyLineIsNoRecordOfATable(t *testing.T) {
	for _, format := range []*Format{CSV, TSV} {
		in := strings.ReplaceAll("a,b\n\nx,y\n\r\n", ",", map[*Format]string{CSV: ",", TSV: "\t"}[format])
		got, err := copied(t, in, Copying{Format: format, Fields: []string{"a"}, Change: always("new")})
		if want := strings.Replace(in, "x", "new", 1); err != nil || got != want {
			t.Errorf("%q becomes %q (%v), want %q", in, got, err, want)
		}
	}
}

// The error of a record beyond the limit has its line and what to do, and repeats nothing
// of it. A record of the limit is read.
func TestTooLongRecordsAreRefusedByLine(t *testing.T) {
	const most = 1 << 20
	for _, c := range []struct {
		length int
		want   string
	}{
		{most / 2, ""},
		{2 * most, "line 3: the record is longer than 256 MiB, the most that is read at once: cut its text into shorter records"},
	} {
		r, err := openStream(strings.NewReader("one\ntwo\n"+strings.Repeat("x", c.length)+"\nfour\n"), lines{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.in.Bound(most)
		for err == nil {
			_, err = r.Next()
		}
		if got := strings.TrimSuffix(err.Error(), "EOF"); got != c.want {
			t.Errorf("a record of %d bytes: %v, want %s", c.length, err, c.want)
		}
	}
}
