package sotto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
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

// linesOf counts the lines of each write.
type linesOf []int

func (w *linesOf) Write(p []byte) (int, error) {
	*w = append(*w, bytes.Count(p, []byte("\n")))
	return len(p), nil
}

// paused returns at most a few thousand bytes at a time, as a pipe does.
type paused struct{ io.Reader }

func (r paused) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 4096)]) }

// What is written together, and whether a field that no record has is found missing, does
// not depend on how long a text is where its length is hidden, charged or not.
func TestWritesOfWholeTextsDoNotDependOnLengths(t *testing.T) {
	stage.Unraced(t)
	r := openRetrieved(t, sotto.Texts{Epsilon: 4})
	inputs := [][]string{}
	for _, long := range []int{-1, 0, 3, 290} {
		texts := slices.Repeat([]string{"short"}, 300)
		if long >= 0 {
			texts[long] = strings.Repeat("long ", 50_000)
		}
		inputs = append(inputs, texts)
	}
	for prompt, want := range map[bool][]int{false: {256, 44}, true: slices.Repeat([]int{1}, 300)} {
		for i, texts := range inputs {
			var out linesOf
			in := paused{strings.NewReader(strings.Join(texts, "\n") + "\n")}
			if _, err := r.Copy(t.Context(), &out, in, sotto.Stream{Prompt: prompt}); err != nil || !slices.Equal(out, want) {
				t.Errorf("prompt %v, input %d: lines are written as %v (%v)", prompt, i, out, err)
			}
			in = paused{strings.NewReader(`{"t":"` + strings.Join(texts, "\"}\n{\"t\":\"") + `"}`)}
			var missing *text.FieldError
			_, err := r.Copy(t.Context(), io.Discard, in, sotto.Stream{Format: text.JSONL, Fields: []string{"u"}, Prompt: prompt})
			if found := errors.As(err, &missing); found == prompt {
				t.Errorf("prompt %v, input %d: a field that no record has: %v", prompt, i, err)
			}
		}
	}
	for _, member := range []string{"laplace", "privunit"} {
		e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Mechanism: member, Epsilon: 4})
		if err != nil {
			t.Fatal(err)
		}
		for i, texts := range inputs {
			var together []int
			in := paused{strings.NewReader(strings.Join(texts, "\n") + "\n")}
			_, err := e.Copy(t.Context(), func(v []release.Vectors) error { together = append(together, len(v)); return nil }, in, sotto.Stream{})
			if err != nil || !slices.Equal(together, []int{256, 44}) {
				t.Errorf("%s, input %d: vectors are written as %v (%v)", member, i, together, err)
			}
		}
	}
}

// marked has one mark of each text.
type marked []text.Span

func (m marked) Rows() int                                { return len(m) }
func (m marked) Row(i int, _ []byte) ([]text.Span, error) { return m[i : i+1], nil }

// What is written together does not depend on how long a mark is where its length is hidden:
// within its type, whether equal values are drawn once or not.
func TestWritesOfMarksDoNotDependOnLengths(t *testing.T) {
	for _, distinct := range []bool{false, true} {
		r, err := sotto.Open(t.Context(), sotto.Marks{Strict: true, Distinct: distinct})
		if err != nil {
			t.Fatal(err)
		}
		for prompt, want := range map[bool][]int{false: {256, 44}, true: slices.Repeat([]int{1}, 300)} {
			for _, long := range []int{-1, 0, 3, 290} {
				var in strings.Builder
				var spans marked
				for i := range 300 {
					name := "Ann"
					if i == long {
						name = strings.Repeat("Anna", 90_000)
					}
					fmt.Fprintf(&in, "from %s with love\n", name)
					spans = append(spans, text.Span{Start: 5, End: 5 + len(name), Type: "PERSON"})
				}
				var out linesOf
				_, err := r.Copy(t.Context(), &out, paused{strings.NewReader(in.String())}, sotto.Stream{Prompt: prompt, Spans: spans})
				if err != nil || !slices.Equal(out, want) {
					t.Errorf("distinct %v, prompt %v, long mark %d: lines are written as %v (%v)", distinct, prompt, long, out, err)
				}
			}
		}
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
