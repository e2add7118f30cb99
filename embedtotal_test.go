package sotto_test

import (
	"bytes"
	"errors"
	"github.com/sotto-dp/sotto/internal/stage"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/parquet-go/parquet-go"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
	own "github.com/sotto-dp/sotto/text/parquet"
)

// Which vectors are written together does not depend on the lengths of texts, nor does an
// error on one long record or one record before a pause.
func TestBatchesOfVectorsOfTextsHideLengths(t *testing.T) {
	stage.Unraced(t)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: "privunit", Epsilon: 4})
	if err != nil {
		t.Fatal(err)
	}
	batches := func(long string) (sizes []int) {
		in := strings.NewReader(strings.Repeat("{\"t\":\""+long+"\"}\n", 300))
		write := func(v []release.Vectors) error { sizes = append(sizes, len(v)); return nil }
		if _, err := e.Copy(t.Context(), write, in, sotto.Stream{Format: text.JSONL, Fields: []string{"t"}}); err != nil {
			t.Fatal(err)
		}
		return sizes
	}
	if short, long := batches("a"), batches(strings.Repeat("a", 4000)); len(short) != 2 || len(long) != 2 || short[0] != long[0] {
		t.Errorf("batches of %v and %v texts", short, long)
	}
	for _, first := range []string{"{\"u\":1}", "{\"u\":\"" + strings.Repeat("x", 300_000) + "\"}"} {
		rows := 0
		write := func(v []release.Vectors) error { rows += len(v); return nil }
		for _, prompt := range []bool{false, true} {
			in := io.MultiReader(&fewBytesReader{strings.NewReader(first)}, iotest.OneByteReader(strings.NewReader("\n{\"t\":\"b\"}\n")))
			if _, err := e.Copy(t.Context(), write, in, sotto.Stream{Format: text.JSONL, Fields: []string{"t"}, Prompt: prompt}); err != nil {
				t.Errorf("%.10q: %v", first, err)
			}
		}
		if rows != 4 {
			t.Errorf("%.10q: %d rows", first, rows)
		}
	}
	// A file without the field is still refused.
	var field *text.FieldError
	if _, err := e.Copy(t.Context(), func([]release.Vectors) error { return nil }, strings.NewReader("{\"u\":1}\n"), sotto.Stream{Format: text.JSONL, Fields: []string{"t"}}); !errors.As(err, &field) {
		t.Errorf("the error is %v", err)
	}
}

// embedded returns the first component of each vector of a stream of seeded draws.
func embedded(t *testing.T, mechanism string, in io.Reader, s sotto.Stream) (first []float32, unread int) {
	t.Helper()
	seed := uint64(3)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: mechanism, Epsilon: 4, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	var content sotto.Content
	s.Content = &content
	statement, err := e.Copy(t.Context(), func(list []release.Vectors) error {
		for _, v := range list {
			first = append(first, v.Components[0])
		}
		return nil
	}, in, s)
	if err != nil {
		t.Fatal(err)
	}
	if statement.Vectors != len(first) {
		t.Errorf("the statement has %d vectors of %d", statement.Vectors, len(first))
	}
	return first, content.UnreadTexts
}

// Vector i is of record i. A record without a text has the vector of the empty text, and
// one with several that of all of them: were they left out or written twice, vectors would
// meet the labels of other records.
func TestEveryRecordHasOneVector(t *testing.T) {
	stage.Unraced(t)
	const plain = `{"t":"the river"}` + "\n" + `{"t":""}` + "\n" + `{"t":"a\nb"}` + "\n" + `{"t":"a bank"}` + "\n"
	const odd = `{"t":"the river"}` + "\n" + `{"t":null}` + "\n" + `{"t":"a","u":1,"t":"b"}` + "\n" + `{"t":"a bank"}` + "\n"
	for _, mechanism := range []string{"privunit", "laplace"} {
		s := sotto.Stream{Format: text.JSONL, Fields: []string{"t"}}
		want, _ := embedded(t, mechanism, strings.NewReader(plain), s)
		got, unread := embedded(t, mechanism, strings.NewReader(odd), s)
		if !slices.Equal(got, want) || len(got) != 4 || unread != 0 {
			t.Errorf("%s: %v with %d unread, want %v", mechanism, got, unread, want)
		}
		if mechanism == "laplace" {
			continue // it ends at a record that cannot be read
		}
		if got, unread = embedded(t, mechanism, strings.NewReader("{\"t\":\"a\"}\n\xff\n[]\n{\"u\":1}\n\n{\"t\":2}\n"), s); len(got) != 5 || unread != 4 {
			t.Errorf("%s: %d vectors with %d unread", mechanism, len(got), unread)
		}
	}
	type row struct {
		T *string  `parquet:"t,optional"`
		L []string `parquet:"l,list"`
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, []row{{new("the river"), []string{"a", "b"}}, {nil, nil}, {new("\xff"), []string{"c"}}}); err != nil {
		t.Fatal(err)
	}
	for field, texts := range map[string]string{"t": "the river\n\n\ufffd\n", "l": "a b\n\nc\n"} {
		want, _ := embedded(t, "privunit", strings.NewReader(texts), sotto.Stream{})
		got, _ := embedded(t, "privunit", bytes.NewReader(file.Bytes()), sotto.Stream{Format: own.Format, Fields: []string{field}})
		if !slices.Equal(got, want) || len(got) != 3 {
			t.Errorf("Parquet, %s: %v, want %v", field, got, want)
		}
	}
}

// What a record holds decides neither on an error nor on the number of vectors, and the
// statement leaves out no record.
func TestEmbedStatementExceptsNoRecord(t *testing.T) {
	stage.Unraced(t)
	for _, mechanism := range []string{"privunit", "laplace"} {
		e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: mechanism, Epsilon: 4})
		if err != nil {
			t.Fatal(err)
		}
		not := strings.Join(e.Statement(sotto.Counts{}).NotProtected, "\n")
		if !strings.Contains(not, "one vector per field, also one without a text") || !strings.Contains(not, "the run did not end early") && !strings.Contains(not, "the run ends at the first") || strings.Contains(not, "null") {
			t.Errorf("%s: not protected: %q", mechanism, not)
		}
		if _, err := e.Copy(t.Context(), nil, strings.NewReader(""), sotto.Stream{Users: new(release.Users)}); err == nil {
			t.Errorf("%s: users are accepted, and not counted", mechanism)
		}
	}
}

// fewBytesReader pauses after every 1,000 bytes.
type fewBytesReader struct{ in io.Reader }

func (r *fewBytesReader) Read(p []byte) (int, error) { return r.in.Read(p[:min(len(p), 1000)]) }
