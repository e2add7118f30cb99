package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/text/internal/records"
	"pgregory.net/rapid"
)

// most is the bound of records of tests, in bytes.
const most = 1 << 20

func readRows(t testing.TB, f *Format, in io.Reader, fields ...string) (rows []Row) {
	t.Helper()
	r, err := f.Rows(in, fields)
	if err != nil {
		t.Fatal(err)
	}
	r.(*rowReader).in.Bound(most)
	for {
		b, err := r.Next()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.First() != len(rows) {
			t.Fatalf("a batch begins at row %d, after %d", b.First(), len(rows))
		}
		rows = append(rows, b.Rows()...)
	}
}

// show writes a nil value as -.
func show(rows []Row) string {
	var out []string
	for _, r := range rows {
		var values []string
		for _, v := range r {
			if v == nil {
				values = append(values, "-")
				continue
			}
			values = append(values, fmt.Sprintf("%q", v))
		}
		out = append(out, strings.Join(values, " "))
	}
	return strings.Join(out, "; ")
}

func TestRowsHaveTheirValues(t *testing.T) {
	for _, c := range []struct {
		name   string
		format *Format
		in     string
		fields []string
		want   string
	}{
		{"lines that end in a carriage return", Lines, "one\r\ntwo\r", []string{""}, `"one"; "two"`},
		{"tsv that ends in a carriage return", TSV, "a\tb\r\nx\ty\r\nz\tw\r", []string{"b", "a"}, `"y" "x"; "w" "z"`},
		{"csv that ends in a carriage return", CSV, "a,b\r\nx,y\r\nz,w\r", []string{"b", "a"}, `"y" "x"; "w" "z"`},
		{"csv that ends in a quoted field and a carriage return", CSV, "a,b\r\nx,\"y\"\r\nz,\"w\"\r", []string{"b", "a"}, `"y" "x"; "w" "z"`},
		{"csv that ends in an empty field and a carriage return", CSV, "a,b\r\nx,\r\nz,\r", []string{"b", "a"}, `"" "x"; "" "z"`},
		{"lines", Lines, "\xef\xbb\xbfone\r\n\ntwo\xff\n", []string{""}, `"one"; ""; "two\xff"`},
		{"a file", Text, "\xef\xbb\xbfone\r\n\ntwo\xff\n\n", []string{""}, `"one\r\n\ntwo\xff\n"`},
		{"a file without a line end", File, "one\ntwo", []string{""}, `"one\ntwo"`},
		{"an empty file", Text, "", []string{""}, `""`},
		{"a file of a mark", Text, "\xef\xbb\xbf", []string{""}, `""`},
		{"csv", CSV, "a,b,c\n1,\"x\n\"\"y\",3\n\n1,2\n1,5\" pipe,3\n\"q\"x,2,3\n,,\n1,2,3,4\n7,8,9", []string{"b", "a"},
			`"x\n\"y" "1"; - -; - -; - -; "" ""; - -; "8" "7"`},
		{"csv that does not end", CSV, "a\n\"one\ntwo\n", []string{"a"}, `-`},
		{"tsv", TSV, "a\tb\r\nx\t\"y\r\n\n\xff\t\n", []string{"b", "a"}, `"\"y" "x"; "" "\xff"`},
		{"jsonl", JSONL, `{"t":"a","n":1.50,"u":null,"l":["x",{"b":"y"}]}` + "\n\n[1\n" + `{"t":{"x":1},"n":true,"l":[]}` + "\n3\n" + `{"t":"a","t":"b"}`,
			[]string{"t", "n", "u", "l[*].b", "l.0"}, `"a" "1.50" - "y" "x"; - - - - -; - "true" - - -; - - - - -; "a\nb" - - - -`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := show(readRows(t, c.format, strings.NewReader(c.in), c.fields...)); got != c.want {
				t.Errorf("rows\n%s, want\n%s", got, c.want)
			}
			if got := show(readRows(t, c.format, iotest.OneByteReader(strings.NewReader(c.in)), c.fields...)); got != c.want {
				t.Errorf("byte by byte\n%s, want\n%s", got, c.want)
			}
		})
	}
}

func TestFieldsThatDoNotFitAreRefused(t *testing.T) {
	for _, c := range []struct {
		format *Format
		in     string
		fields []string
	}{
		{Text, "x", []string{"a"}}, {Text, "x", []string{"", "a"}}, {Lines, "x", []string{"a"}}, {Lines, "x", []string{"", "a"}}, {CSV, "a,b\n", []string{""}}, {CSV, "a,b\n", []string{"c"}}, {CSV, "a,a\n", []string{"a"}},
		{TSV, "", []string{"a"}}, {JSONL, "", []string{""}}, {JSONL, "", []string{"a..b"}}, {CSV, strings.Repeat("a", records.MostHeader+10), []string{"a"}},
	} {
		var field *FieldError
		var input *InputError
		if _, err := c.format.Rows(strings.NewReader(c.in), c.fields); !errors.As(err, &field) && !errors.As(err, &input) {
			t.Errorf("%s accepts the fields %q: %v", c.format, c.fields, err)
		}
	}
}

// A record of any length is one row, in bounded memory, and the records around it stay.
func TestRecordTooLongIsARowWithoutValues(t *testing.T) {
	for _, size := range []int{most / 2, 2 * most, 3*most + 12345} {
		long := strings.Repeat("x", size)
		for _, last := range []bool{false, true} {
			in := "first\n" + long + "\nlast\n"
			if last {
				in = "first\n" + long
			}
			rows := readRows(t, Lines, strings.NewReader(in), "")
			want := 3
			if last {
				want = 2
			}
			if len(rows) != want || string(rows[0][0]) != "first" || !last && string(rows[2][0]) != "last" || (rows[1][0] == nil) != (size > most) {
				t.Fatalf("%d rows of %d bytes", len(rows), size)
			}
		}
	}
	in := "a,b\n1,\"" + strings.Repeat("\n,", most) + "\"\n3,4\n"
	if got := show(readRows(t, CSV, strings.NewReader(in), "a")); got != `-; "3"` {
		t.Errorf("rows %.200s", got)
	}
}

// What one record costs grows with its length alone: many columns, and many values of one
// field.
func TestManyValuesOfARecordAreRead(t *testing.T) {
	in := "a,b\n" + strings.Repeat(",", most/2) + "\n1,2\n"
	if got := show(readRows(t, CSV, strings.NewReader(in), "b")); got != `-; "2"` {
		t.Errorf("rows %.200s", got)
	}
	in = `{"a":[` + strings.Repeat(`"x",`, most/8) + `1],"b":2}`
	rows := readRows(t, JSONL, strings.NewReader(in), "a[*]", "b")
	if len(rows) != 1 || len(rows[0][0]) != 2*(most/8)+1 || string(rows[0][1]) != "2" {
		t.Errorf("%d rows", len(rows))
	}
}

// The neighbouring relation of what reads rows: records that are whole, as the format
// cuts them, can be put together in any number and order, and each is the row that it is
// alone. No record changes another, is lost, or stops the reading.
func TestRowsAreThoseOfTheirRecords(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b", `"`, `""`, ",", "\t", "{", "}", `"t":`, "1", "\r", " ", "\xff", "\x00", `\`, "[", "]", "é", `{"t":"x"}`, "\xef\xbb\xbf"})
	for _, f := range []*Format{Lines, CSV, TSV, JSONL} {
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				header, field := "", "t"
				switch f {
				case Lines:
					field = ""
				case CSV, TSV:
					header = map[*Format]string{CSV: "t,u\n", TSV: "t\tu\n"}[f]
				}
				var all []string
				if rapid.Bool().Draw(t, "marked") {
					all = append(all, "\xef\xbb\xbf{\"t\":\"x\"}\n")
				}
				for range rapid.IntRange(0, 6).Draw(t, "records") {
					record := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "") + "\n"
					form := records.Lines
					if f == CSV {
						form = records.Quoted
					}
					if b, err := records.NewReader(strings.NewReader(record+"\n"), records.Options{Form: form}).Next(); err != io.EOF || b.Ends[0] != len(record) {
						continue // not one record
					}
					all = append(all, record)
				}
				read := func(records ...string) string {
					r, err := f.Rows(strings.NewReader(header+strings.Join(records, "")), []string{field})
					if err != nil {
						t.Fatal(err)
					}
					var rows []Row
					for {
						b, err := r.Next()
						if err == io.EOF {
							return show(rows)
						}
						if err != nil {
							t.Fatal(err)
						}
						rows = append(rows, b.Rows()...)
					}
				}
				var alone []string
				for _, r := range all {
					if row := read(r); row != "" {
						alone = append(alone, row)
					}
				}
				if got, want := read(all...), strings.Join(alone, "; "); got != want {
					t.Fatalf("together %s, alone %s: %q", got, want, all)
				}
			})
		})
	}
}

func TestFaultOfTheInputIsReturned(t *testing.T) {
	broken := errors.New("broken")
	r, err := Lines.Rows(io.MultiReader(strings.NewReader("one\ntwo"), iotest.ErrReader(broken)), []string{""})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func FuzzRowsAreTotal(f *testing.F) {
	f.Add([]byte("a,b\n\"x\n"), 1)
	f.Add([]byte(`{"a":[{"a":"\ud800"}]}`), 3)
	formats := []*Format{Lines, CSV, TSV, JSONL}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		form := formats[uint(which)%4]
		field := "a"
		if form == Lines {
			field = ""
		}
		if form.Header {
			data = append([]byte("a\n"), data...)
		}
		rows := readRows(t, form, bytes.NewReader(data), field)
		if slices.ContainsFunc(rows, func(r Row) bool { return len(r) != 1 }) {
			t.Error("a row has another number of values than fields")
		}
	})
}
