package text

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// Faults arrive in order, with their lines in the input, over many batches. What is left
// out is not written, and all else is.
func TestFaultsOfManyBatches(t *testing.T) {
	var in, want strings.Builder
	var lines []int
	filler := strings.Repeat("word ", 200)
	for i := 1; i <= 3000; i++ {
		switch {
		case i%7 == 0:
			fmt.Fprintf(&in, "secret %d\n", i)
			lines = append(lines, i)
		case i%11 == 0:
			in.WriteString("{\"t\":\"\xff\"}\n")
			lines = append(lines, i)
		case i%13 == 0:
			in.WriteString("{\"u\":1}\n")
			want.WriteString("{\"u\":1}\n")
		default:
			fmt.Fprintf(&in, "{\"t\":\"%s%d\"}\n", filler, i)
			fmt.Fprintf(&want, "{\"t\":\"private\"}\n")
		}
	}
	var got []int
	r, err := JSONL.Open(strings.NewReader(in.String()), Options{Fields: []string{"t"}, KeepMissing: true, Fault: func(e *InputError) error {
		if strings.Contains(e.What, "secret") {
			t.Errorf("a fault with text: %s", e.What)
		}
		got = append(got, e.Line)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	batches := rewriteAll(t, r, &out)
	if batches < 5 || out.String() != want.String() || fmt.Sprint(got) != fmt.Sprint(lines) {
		t.Errorf("%d batches, %d bytes, want %d; faults in %d lines, want %d", batches, out.Len(), want.Len(), len(got), len(lines))
	}
}

// rewriteAll replaces every text by the word private, and returns the number of batches.
func rewriteAll(t *testing.T, r Reader, out io.Writer) (batches int) {
	t.Helper()
	if err := r.Begin(out); err != nil {
		t.Fatal(err)
	}
	for {
		b, err := r.Next()
		if err == io.EOF {
			return batches
		}
		if err != nil {
			t.Fatal(err)
		}
		batches++
		texts, err := b.Texts()
		if err != nil {
			t.Fatal(err)
		}
		for i := range texts {
			texts[i] = []byte("private")
		}
		if err := errors.Join(b.Replace(texts), b.Write()); err != nil {
			t.Fatal(err)
		}
	}
}

// A name that the first records lack is refused: else all records would be copied.
func TestAbsentFieldsAreNotKeptInAllRecords(t *testing.T) {
	for _, o := range []Options{
		{Fields: []string{"tt"}, KeepMissing: true},
		{Fields: []string{"t", "tt"}, KeepMissing: true},
		{Fields: []string{"tt"}, Fault: func(*InputError) error { return nil }},
	} {
		r, err := JSONL.Open(strings.NewReader("{\"t\":\"a\"}\n{\"t\":\"b\"}\n"), o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		var field *FieldError
		var fault *InputError
		if texts, err := b.Texts(); !errors.As(err, &field) && (!errors.As(err, &fault) || !fault.Absent) {
			t.Errorf("%v: %q, %v", o.Fields, texts, err)
		}
	}
}

// Blank lines before the first record, however many batches they fill, do not let a wrong
// name through. Nor do records that cannot be read.
func TestAbsentFieldsAreNotKeptAfterBlankLines(t *testing.T) {
	ignore := func(*InputError) error { return nil }
	for name, start := range map[string]string{"blank": "\n \n", "blank and unreadable": "\n{\n"} {
		for _, o := range []Options{
			{Fields: []string{"tt"}, KeepMissing: true, Fault: ignore, Records: 1},
			{Fields: []string{"tt"}, Total: true, Records: 1},
		} {
			if o.Total && name != "blank" {
				continue // what cannot be read is drawn for, and may have had the field
			}
			r, err := JSONL.Open(strings.NewReader(start+"{\"t\":\"a\"}\n"), o)
			if err != nil {
				t.Fatal(err)
			}
			refused := false
			for !refused {
				b, err := r.Next()
				if b == nil {
					t.Errorf("%s: a record without the field passed (%v)", name, err)
					break
				}
				_, err = b.Texts()
				refused = err != nil
			}
		}
	}
}

// A record whose value does not fit the path may hold the text there: it lacks no field, and
// is not copied. A null holds none.
func TestValuesThatAPathCannotEnterAreNotCopied(t *testing.T) {
	for _, test := range []struct{ field, first, fits, not string }{
		{"t[*]", `{"t":["a"]}`, `{"t":null}`, `{"t":"secret"}`},
		{"t[*]", `{"t":["a"]}`, `{"t":[]}`, `{"t":{"secret":1}}`},
		{"t[*].u", `{"t":[{"u":"a"}]}`, `{"t":[{},null]}`, `{"t":[{"u":"a"},"secret"]}`},
		{"t.u", `{"t":{"u":"a"}}`, `{}`, `{"t":"secret"}`},
		{"t.u", `{"t":{"u":"a"}}`, `{"t":{}}`, `{"t":[{"u":"secret"}]}`},
		{"t.u", `{"t":{"u":"a"}}`, `{"t":{"v":"b"}}`, `{"t":"secret","t":{"u":"a"}}`},
		{"t", `{"t":"a"}`, `null`, `"secret"`},
		{"t", `{"t":"a"}`, `{"u":{"t":"b"}}`, `[{"t":"secret"}]`},
	} {
		for last, fits := range map[string]bool{test.fits: true, test.not: false} {
			var faults int
			o := Options{Fields: []string{test.field}, KeepMissing: true, Fault: func(*InputError) error { faults++; return nil }}
			r, err := JSONL.Open(strings.NewReader(test.first+"\n"+last+"\n"), o)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			rewriteAll(t, r, &out)
			if strings.Contains(out.String(), "secret") || fits != (faults == 0) {
				t.Errorf("%s: %s becomes %q, %d faults", test.field, last, out.String(), faults)
			}
		}
	}
	// Nor where the run copies nothing that lacks a field.
	in := `{"t":[{"u":"a"},"secret"]}`
	if out, err := copied(t, in, Copying{Format: JSONL, Fields: []string{"t[*].u"}, Change: same}); err == nil {
		t.Errorf("%s becomes %q", in, out)
	}
}

// Faults of single records are for jsonl that is copied, and not where every record is
// drawn for.
func TestFaultsAreRefusedElsewhere(t *testing.T) {
	keep := Options{Fields: []string{"t"}, KeepMissing: true}
	total, each := keep, keep
	total.Total, each.Each = true, true
	for _, test := range []struct {
		format *Format
		o      Options
	}{{CSV, keep}, {TSV, keep}, {Lines, Options{KeepMissing: true}}, {JSONL, total}, {JSONL, each}} {
		var field *FieldError
		if _, err := test.format.Open(strings.NewReader("t\na\n"), test.o); !errors.As(err, &field) {
			t.Errorf("%s: %v", test.format, err)
		}
	}
}
