package sotto_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
)

// alone reads a stream that is Alone into a shuffled pool. It returns the number of texts
// and the draws that were charged for.
func alone(t *testing.T, r *sotto.Rewriter, s sotto.Stream, in string) (texts int, charged int64, err error) {
	t.Helper()
	s.Alone = true
	s.Charge = func(_ context.Context, _ uint64, p *sotto.Pending) error {
		if want := r.Claim(); p.Claim().Unit != privacy.Record || p.Claim().Epsilon != want.Epsilon || p.Claim().Neighbouring != privacy.Replace {
			t.Errorf("%q: a batch is charged for %v", in, p.Claim())
		}
		charged += p.Draws()
		return nil
	}
	p, err := r.Pool(sotto.PoolOptions{Shuffled: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Read(t.Context(), strings.NewReader(in), s); err != nil {
		return 0, charged, err
	}
	if err := p.Finish(t.Context(), s.Charge); err != nil {
		t.Fatal(err)
	}
	err = p.Write(func(string, []byte) error { texts++; return nil })
	return texts, charged, err
}

// Whatever a record holds, it has one draw, which is charged for as one of the record.
func TestRecordOfAStreamAloneHasOneDraw(t *testing.T) {
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	json := sotto.Stream{Format: text.JSONL, Fields: []string{"a.t"}}
	csv := sotto.Stream{Format: text.CSV, Fields: []string{"t"}}
	for _, c := range []struct {
		stream sotto.Stream
		head   string
		values []string // of the record in the middle
	}{
		{json, "", []string{`{"a":{"t":"x"}}`, `{"a":{"t":""}}`, `{"a":{"t":null}}`, `{"a":null}`, `{"a":{}}`, `{}`, `[]`, `null`, `7`, `{"a":{"t":7}}`, `{"a":{"t":["x","y"]}}`,
			`{"a":{"t":"x","t":"y"}}`, `{"a":{"t":"x"},"a":{"t":null}}`, `{"a":[{"t":"x"},{"t":"y"}]}`, `{"a":{"t":"x"}} {"a":{"t":"y"}}`, `no document`, "\xff", strings.Repeat("x", 1<<20)}},
		{sotto.Stream{Format: text.JSONL, Fields: []string{"m.0"}}, "", []string{`{"m":["x"]}`, `{"m":[]}`, `{"m":[null]}`, `{"m":["x","y"]}`, `{"m":{"0":"x"}}`, `{}`}},
		{csv, "id,t\n", []string{"1,x", "1,", "1", "1,x,y", `1,"x"`, "1,\"x\ny\"", "1,\xff"}},
		{sotto.Stream{Format: text.TSV, Fields: []string{"t"}}, "id\tt\n", []string{"1\tx", "1\t", "1", "1\tx\ty"}},
		{sotto.Stream{}, "", []string{"x", "", " ", "\xff", "x\ry"}},
	} {
		first := c.values[0] + "\n"
		for _, value := range c.values {
			texts, charged, err := alone(t, r, c.stream, c.head+first+value+"\n"+first)
			if err != nil || texts != 3 || charged != 3 {
				t.Errorf("three records, one of them %.40q, have %d texts and %d paid draws (%v)", value, texts, charged, err)
			}
		}
	}
	var charged int64
	lines := sotto.Stream{Alone: true, Charge: func(_ context.Context, _ uint64, p *sotto.Pending) error { charged += p.Draws(); return nil }}
	if _, err := r.Copy(t.Context(), io.Discard, strings.NewReader("x\n\ny\n"), lines); err != nil || charged != 3 {
		t.Errorf("a copy of three lines is charged for %d draws (%v)", charged, err)
	}
	lines.Format, charged = text.Text, 0
	if _, err := r.Copy(t.Context(), io.Discard, strings.NewReader("x\n\ny\n"), lines); err != nil || charged != 1 {
		t.Errorf("a copy of a file is charged for %d draws (%v)", charged, err)
	}
}

// What may have another number of draws for a record, or shows more of it, is refused before
// it is charged.
func TestStreamThatCannotBeAloneIsRefused(t *testing.T) {
	texts := openRetrieved(t, sotto.Texts{Epsilon: 4})
	perUser := openRetrieved(t, sotto.Texts{Epsilon: 4, PerUser: 1})
	json, object := text.JSONL, `{"m":[{"t":"x"}],"t":"x","u":"y"}`+"\n"
	pool := func(r *sotto.Rewriter, users *release.Users, s sotto.Stream, in string) error {
		p, err := r.Pool(sotto.PoolOptions{Shuffled: true, Users: users})
		if err != nil {
			t.Fatal(err)
		}
		return p.Read(t.Context(), strings.NewReader(in), s)
	}
	for what, read := range map[string]func(s sotto.Stream) error{
		"a path into a list": func(s sotto.Stream) error {
			s.Format, s.Fields = json, []string{"m[*].t"}
			return pool(texts, nil, s, object)
		},
		"two fields": func(s sotto.Stream) error {
			s.Format, s.Fields = json, []string{"t", "u"}
			return pool(texts, nil, s, object)
		},
		"two columns of a name": func(s sotto.Stream) error {
			s.Format, s.Fields = text.CSV, []string{"t"}
			return pool(texts, nil, s, "t,t\nx,y\n")
		},
		"users": func(s sotto.Stream) error {
			s.Format, s.Fields = json, []string{"t"}
			return pool(perUser, perUser.Users("u"), s, object)
		},
		"a copy with other fields": func(s sotto.Stream) error {
			s.Format, s.Fields = json, []string{"t"}
			_, err := texts.Copy(t.Context(), io.Discard, strings.NewReader(object), s)
			return err
		},
		"words": func(s sotto.Stream) error {
			_, err := seeded(t).Copy(t.Context(), io.Discard, strings.NewReader("x\n"), s)
			return err
		},
	} {
		charged := 0
		err := read(sotto.Stream{Alone: true, Charge: func(context.Context, uint64, *sotto.Pending) error { charged++; return nil }})
		var field *text.FieldError
		if !errors.As(err, &field) || charged != 0 {
			t.Errorf("%s: %v, after %d charges", what, err, charged)
		}
	}
}
