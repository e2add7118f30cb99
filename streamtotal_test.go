package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
	own "github.com/sotto-dp/sotto/text/parquet"
)

// hostileRecords replaces record 1 of three by one that cannot be read.
var hostileRecords = []struct {
	format *text.Format
	file   func(second string) string
	clean  string
	broken []string
}{
	{text.Lines, func(s string) string { return "a\n" + s + "\nc\n" }, "b", []string{"\xff\xfe", "\x00", strings.Repeat("x", 1<<20), "caf\xe9"}},
	{text.JSONL, func(s string) string { return "{\"t\":\"a\"}\n" + s + "\n{\"t\":\"c\"}\n" }, `{"t":"b"}`,
		[]string{`{"t":"b`, `{"t":7}`, `{"t":{"t":"b"}}`, `{"t":["b"]}`, `{"T":"b"}`, `[]`, "b", "\xff", "{\"t\":\"\x00\"}", strings.Repeat("[", 1<<17), `{"t":"` + strings.Repeat("x", 1<<20) + `"}`}},
	{text.CSV, func(s string) string { return "t,u\na,1\n" + s + "\nc,3\n" }, "b,2", []string{"\xff,2", "\x00,2"}},
	{text.CSV, func(s string) string { return "t\na\n" + s + "\nc\n" }, "b", []string{"b,2", "b,2,3", "\xff,2", "\x00", `"b,2",3,4`}},
	{text.TSV, func(s string) string { return "t\tu\na\t1\n" + s + "\nc\t3\n" }, "b\t2", []string{"\xff\t2", "\x00\t2"}},
	{text.TSV, func(s string) string { return "t\na\n" + s + "\nc\n" }, "b", []string{"b\t2", "b\t2\t3", "\xff", "\x00"}},
}

// An error that depends on what a record holds is an infinite loss. So every record is
// drawn for, and a run has the same draws and charges whatever the records hold.
func TestNoRecordEndsARunOverWholeTexts(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	for _, c := range hostileRecords {
		fields := []string{"t"}
		if c.format == text.Lines {
			fields = nil
		}
		run := func(second string, invalid text.Invalid) (out string, counts sotto.Counts, content sotto.Content, charged int64, err error) {
			var w bytes.Buffer
			s := sotto.Stream{Format: c.format, Fields: fields, Invalid: invalid, Counts: &counts, Content: &content}
			s.Charge = func(_ context.Context, _ uint64, p *sotto.Pending) error { charged += p.Draws(); return nil }
			_, err = r.Copy(t.Context(), &w, strings.NewReader(c.file(second)), s)
			counts.Drawn = identity.Drawn{} // it follows from what was drawn
			return w.String(), counts, content, charged, err
		}
		clean, counts, content, _, err := run(c.clean, "")
		if err != nil || counts.Documents != 3 || content.UnreadTexts != 0 {
			t.Fatalf("%s: %+v, %+v, %v", c.format, counts, content, err)
		}
		for _, second := range c.broken {
			out, got, _, charged, err := run(second, "")
			if err != nil || got != counts || charged != 3 || strings.Count(out, "\n") != strings.Count(clean, "\n") {
				t.Errorf("%s: %.20q gives %+v, charged %d, %v", c.format, second, got, charged, err)
			}
			again, err := r.Count(t.Context(), strings.NewReader(c.file(second)), sotto.Stream{Format: c.format, Fields: fields})
			if err != nil || again != counts {
				t.Errorf("%s: %.20q is counted as %+v, %v", c.format, second, again, err)
			}
		}
		var fault *text.InputError
		if _, _, _, _, err := run(c.broken[0], text.FailInvalid); !errors.As(err, &fault) {
			t.Errorf("%s: asked to fail, the error is %v", c.format, err)
		}
	}
}

// Users are counted whatever a record holds: a record whose user cannot be read belongs
// to the others, and a record of several texts has one draw.
func TestNoRecordEndsARunForUsers(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 4, PerUser: 2})
	in := `{"u":"a","t":"x"}` + "\n" + `{"u":["a"],"t":"x"}` + "\n" + `{"u":"a","t":"x","t":"y"}` + "\n" + `{"u":"a` + "\n" + `{"u":{},"t":"x"}` + "\n" + `{"u":"a","t":"x"}` + "\n"
	var out bytes.Buffer
	statement, err := r.Copy(t.Context(), &out, strings.NewReader(in), sotto.Stream{Format: text.JSONL, Fields: []string{"t"}, Users: r.Users("u")})
	if err != nil || statement.Documents != 4 || strings.Count(out.String(), "\n") != 4 {
		t.Errorf("%d texts in %q, %v", statement.Documents, out.String(), err)
	}
}

// A vector of a whole text is released whatever the text: one per record, and no error.
func TestNoRecordEndsARunOverVectorsOfTexts(t *testing.T) {
	stage.Unraced(t)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: "privunit", Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range hostileRecords {
		s := sotto.Stream{Format: c.format, Fields: []string{"t"}}
		if c.format == text.Lines {
			s.Fields = nil
		}
		for _, second := range c.broken {
			rows := 0
			write := func(v []release.Vectors) error { rows += len(v); return nil }
			statement, err := e.Copy(t.Context(), write, strings.NewReader(c.file(second)), s)
			if err != nil || rows != 3 || statement.Vectors != 3 {
				t.Errorf("%s: %.20q gives %d vectors, %v", c.format, second, rows, err)
			}
		}
		var fault *text.InputError
		s.Invalid = text.FailInvalid
		if _, err := e.Copy(t.Context(), func([]release.Vectors) error { return nil }, strings.NewReader(c.file(c.broken[0])), s); !errors.As(err, &fault) {
			t.Errorf("%s: asked to fail, the error is %v", c.format, err)
		}
	}
}

// Parquet holds any bytes where its schema says strings.
func TestNoBytesEndARunOverParquet(t *testing.T) {
	type row struct {
		T *string `parquet:"t,optional"`
		N int     `parquet:"n"`
	}
	rows := []row{{T: new("fine"), N: 1}, {T: new("\xff\x00"), N: 2}, {N: 3}, {T: new(strings.Repeat("x", 1<<20)), N: 4}, {T: new(""), N: 5}}
	var file, out bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	var content sotto.Content
	s := sotto.Stream{Format: own.Format, Fields: []string{"t"}, Content: &content}
	statement, err := r.Copy(t.Context(), &out, bytes.NewReader(file.Bytes()), s)
	if err != nil || statement.Documents != 4 || content.UnreadTexts != 1 {
		t.Fatalf("%d texts, %+v, %v", statement.Documents, content, err)
	}
	released, err := parquet.Read[row](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range released {
		if (row.T == nil) != (rows[i].T == nil) || row.N != i+1 || row.T != nil && (*row.T == "" || *row.T == *rows[i].T) {
			t.Errorf("row %d is %+v", i, row)
		}
	}
	s.Invalid = text.FailInvalid
	if _, err := r.Copy(t.Context(), &out, bytes.NewReader(file.Bytes()), s); err == nil || !strings.Contains(err.Error(), "row 2, column 1") {
		t.Errorf("asked to fail, the error is %v", err)
	}
}

// Words have no draw for a value that is not a text: the run ends.
func TestWordsEndAtARecordThatCannotBeRead(t *testing.T) {
	words, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Unit: privacy.Token, Parameters: map[string]string{"neighbours": "10"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range hostileRecords {
		s := sotto.Stream{Format: c.format, Fields: []string{"t"}}
		if c.format == text.Lines {
			s.Fields = nil
		}
		var fault *text.InputError
		if _, err := words.Copy(t.Context(), &bytes.Buffer{}, strings.NewReader(c.file(c.broken[0])), s); !errors.As(err, &fault) {
			t.Errorf("%s: the error is %v", c.format, err)
		}
	}
}

func TestStatementSaysWhatEndsARun(t *testing.T) {
	for _, r := range []*sotto.Rewriter{openRetrieved(t, sotto.Texts{Epsilon: 4})} {
		not := fmt.Sprint(r.Statement(sotto.Counts{}).NotProtected)
		for _, want := range []string{"a record of a file could not be read", "the run did not end early: a damaged file ends it"} {
			if !strings.Contains(not, want) {
				t.Errorf("%q is not in %q", want, not)
			}
		}
	}
}
