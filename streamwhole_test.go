package sotto_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// A ledger has one entry per batch. Those of whole texts show how many texts there are,
// not how long they are.
func TestBatchesOfWholeTextsDoNotDependOnLengths(t *testing.T) {
	stage.Unraced(t)
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	const n = 600
	charges := func(f *text.Format, fields []string, record func(i int) string) (draws []int64, lines int) {
		var in, out bytes.Buffer
		if f.Header {
			in.WriteString("id,text\n")
		}
		for i := range n {
			in.WriteString(record(i))
		}
		_, err := r.Copy(t.Context(), &out, iotest.HalfReader(&in), sotto.Stream{Format: f, Fields: fields, Workers: 1, Prompt: true, Charge: func(_ context.Context, batch uint64, p *sotto.Pending) error {
			if batch != uint64(len(draws)) {
				t.Errorf("batch %d comes after %d", batch, len(draws))
			}
			draws = append(draws, p.Draws())
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return draws, strings.Count(out.String(), "\n")
	}
	long := func(i int) string { return strings.Repeat("long ", i%4*500) }
	for _, c := range []struct {
		format *text.Format
		fields []string
		record func(i int, text string) string
	}{
		{text.Lines, nil, func(_ int, text string) string { return "x" + text + "\n" }},
		{text.CSV, []string{"text"}, func(i int, text string) string { return fmt.Sprintf("%d,\"a\n%s\"\n", i, text) }},
		{text.JSONL, []string{"text"}, func(i int, text string) string { return fmt.Sprintf("{\"id\":%d,\"text\":\"%s\"}\n", i, text) }},
	} {
		short, lines := charges(c.format, c.fields, func(i int) string { return c.record(i, "") })
		other, otherLines := charges(c.format, c.fields, func(i int) string { return c.record(i, long(i)) })
		if want := []int64{256, 256, 88}; !slices.Equal(short, want) || !slices.Equal(other, want) {
			t.Errorf("%s: short texts are charged as %v, long ones as %v, want %v", c.format, short, other, want)
		}
		if want := lines; want < n || otherLines != want {
			t.Errorf("%s: %d and %d lines", c.format, lines, otherLines)
		}
	}
	// Words are charged by the size of the input.
	words, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 4, Unit: privacy.Token, Parameters: map[string]string{"neighbours": "10"}})
	if err != nil {
		t.Fatal(err)
	}
	batches := 0
	in := strings.NewReader(strings.Repeat("word\n", 1000))
	if _, err := words.Copy(t.Context(), &bytes.Buffer{}, in, sotto.Stream{Charge: func(context.Context, uint64, *sotto.Pending) error { batches++; return nil }}); err != nil || batches != 1 {
		t.Errorf("1000 words in %d batches, %v", batches, err)
	}
}

// A file is one text under one epsilon, however many lines it has.
func TestFileIsOneWholeText(t *testing.T) {
	stage.Unraced(t)
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	for _, in := range []string{"", "one", "one\n\ntwo\nthree\n", strings.Repeat("a line of many\n", 100_000)} {
		var out bytes.Buffer
		var charged int64
		charge := func(_ context.Context, _ uint64, p *sotto.Pending) error { charged += p.Draws(); return nil }
		statement, err := r.Copy(t.Context(), &out, strings.NewReader(in), sotto.Stream{Format: text.Text, Charge: charge})
		if err != nil || statement.Documents != 1 || charged != 1 || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%d bytes are %d texts, charged as %d, and become %q (%v)", len(in), statement.Documents, charged, out.String(), err)
		}
		if counts, err := r.Count(t.Context(), strings.NewReader(in), sotto.Stream{Format: text.Text}); err != nil || counts.Documents != 1 || counts.Draws != 1 {
			t.Errorf("%d bytes are counted as %+v (%v)", len(in), counts, err)
		}
	}
}
