package sotto

import (
	"context"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
	"pgregory.net/rapid"
)

// Counts of parts add up to those of the whole, whatever the parts, field by field: what is
// the longest of all is the largest, and the rest are sums.
func TestCountsOfAnyPartsAreThoseOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := make([]Counts, rapid.IntRange(1, 12).Draw(t, "parts"))
		for i := range all {
			v := reflect.ValueOf(&all[i]).Elem()
			for j := range v.NumField() {
				n := rapid.IntRange(0, 9).Draw(t, v.Type().Field(j).Name)
				if v.Type().Field(j).Name == "Drawn" {
					all[i].Drawn = Identified(slices.Repeat([]string{"text " + strconv.Itoa(i)}, n)...)
					continue
				}
				v.Field(j).Set(reflect.ValueOf(n).Convert(v.Type().Field(j).Type))
			}
		}
		var whole Counts // by the names of the fields
		v := reflect.ValueOf(&whole).Elem()
		for j := range v.NumField() {
			n := 0.0
			if v.Type().Field(j).Name == "Drawn" {
				whole.Drawn = Identified()
				for _, c := range all {
					whole.Drawn = whole.Drawn.Plus(c.Drawn)
				}
				continue
			}
			for _, c := range all {
				x := reflect.ValueOf(c).Field(j).Convert(reflect.TypeFor[float64]()).Float()
				if v.Type().Field(j).Name == "Types" { // bits
					n = float64(int(n) | int(x))
				} else if strings.HasPrefix(v.Type().Field(j).Name, "Longest") {
					n = max(n, x)
				} else {
					n += x
				}
			}
			v.Field(j).Set(reflect.ValueOf(n).Convert(v.Type().Field(j).Type))
		}
		var merged, outer Counts
		for i, c := range all {
			if merged.Add(c); i == len(all)-1 || rapid.Bool().Draw(t, "cut") {
				outer.Add(merged)
				merged = Counts{}
			}
		}
		if outer != whole {
			t.Fatalf("the parts %+v have %+v together, want %+v", all, outer, whole)
		}
	})
}

// bracketed are texts of many lengths, in no order: the longest is neither the first nor the
// last.
func bracketed(rng *rand.Rand) (plain []string, spans [][]text.Span) {
	for i := range 40 {
		words := strings.Repeat("the [doctor] in boston ", rng.IntN(9))
		if i == 17 {
			words = strings.Repeat("my [doctor in boston] agreed ", 30)
		}
		p, s := spansOf(words + "end")
		plain, spans = append(plain, p), append(spans, s)
	}
	return plain, spans
}

// The counts of a stream of many batches, copied in parallel or only counted, are those of
// all texts read at once, for every plan. Every field of Counts has a plan in which it is
// not 0.
func TestCountsOfBatchesAreThoseOfAllTexts(t *testing.T) {
	stage.Unraced(t)
	plain, spans := bracketed(rand.New(rand.NewPCG(1, 2)))
	var texts [][]byte
	for _, p := range plain {
		texts = append(texts, []byte(p))
	}
	input := strings.Join(plain, "\n") + "\n"
	var seen Counts
	note := func(name string, got, want Counts) {
		t.Helper()
		got.Drawn, want.Drawn = identity.Drawn{}, identity.Drawn{} // of other draws
		if got != want {
			t.Errorf("%s:\n%+v in batches\n%+v at once", name, got, want)
		}
		seen.Add(want)
	}
	for name, cfg := range map[string]Configuration{
		"tokens":      Config{Epsilon: 8},
		"words":       Config{Epsilon: 8, Unit: privacy.Word},
		"capped":      Words{Cap: Cap{Epsilon: 40, Tokens: 20, Over: Clamp}},
		"marked":      Words{Epsilon: 8, Marked: true},
		"marked rest": Words{Epsilon: 8, Marked: true, MarkedEpsilon: 2},
		"texts":       Config{Epsilon: 4, Unit: privacy.Text},
		"marks":       Marks{Epsilon: 4},
		"values":      Marks{Epsilon: 4, Distinct: true},
	} {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		unit := r.Claim().Unit
		marked, marks := strings.HasPrefix(name, "marked"), unit == privacy.Mark || unit == privacy.DistinctMark
		s := Stream{Prompt: true, Workers: 3}
		var want *Pending
		if marked || marks {
			s.Spans = slices.Clone(lists(spans))
			all := make([]text.Spans, len(spans))
			for i := range spans {
				all[i] = slices.Clone(spans[i])
				for k := range all[i] {
					all[i][k].Type = []string{"PERSON", "AGE", "UNKNOWN"}[k%3]
				}
				if marks {
					s.Spans.(lists)[i] = all[i]
				}
			}
			want, err = r.ReadSpans(texts, all, Position{})
		} else {
			want, err = r.Read(texts)
		}
		if err != nil {
			t.Fatal(err)
		}
		batches := map[uint64]bool{}
		charged := s
		charged.Workers = 1
		charged.Charge = func(_ context.Context, batch uint64, _ *Pending) error { batches[batch] = true; return nil }
		in := func() io.Reader { return &lineReader{rest: input} }
		for _, s := range []Stream{s, charged} {
			var counts Counts
			s.Counts = &counts
			if _, err := r.Copy(t.Context(), io.Discard, in(), s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			note(name, counts, want.Counts())
		}
		if len(batches) < 20 && !unit.HidesLength() { // batches that are charged have 256 records there
			t.Errorf("%s: %d batches", name, len(batches))
		}
		counts, err := r.Count(t.Context(), in(), s)
		if err != nil {
			t.Fatal(err)
		}
		note(name+", counted", counts, want.Counts())
		if unit == privacy.Word || marked || marks {
			continue // refused for parts of one text, or read as lines
		}
		s.Format = text.Text
		whole, err := r.Read([][]byte{[]byte(strings.TrimSuffix(input, "\n"))})
		if err != nil {
			t.Fatal(err)
		}
		if counts, err = r.Count(t.Context(), in(), s); err != nil {
			t.Fatal(err)
		}
		note(name+", one text", counts, whole.Counts())
	}
	for _, of := range []Of{Tokens, Documents} {
		e, err := OpenEmbedder(t.Context(), Vectors{Of: of, Epsilon: 8})
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := e.EmbedAll(t.Context(), texts, Position{})
		if err != nil {
			t.Fatal(err)
		}
		var counts Counts
		if _, err := e.Copy(t.Context(), func([]release.Vectors) error { return nil }, &lineReader{rest: input}, Stream{Prompt: true, Workers: 3, Counts: &counts}); err != nil {
			t.Fatal(err)
		}
		note(string(of)+" embedded", counts, want)
		if counts, err = e.Count(t.Context(), iotest.HalfReader(strings.NewReader(input)), Stream{Prompt: true, Workers: 3}); err != nil {
			t.Fatal(err)
		}
		note(string(of)+" embedded, counted", counts, want)
	}
	r, err := Open(t.Context(), Config{Epsilon: 8})
	if err != nil {
		t.Fatal(err)
	}
	read, err := r.Read([][]byte{[]byte("the doctor"), []byte("agreed"), []byte("no")})
	if err != nil {
		t.Fatal(err)
	}
	several := Stream{Format: text.JSONL, Fields: []string{"a[*]"}}
	records := "{\"a\":[\"the doctor\",\"agreed\"]}\n{\"a\":[\"no\"]}\n"
	counts, err := r.Count(t.Context(), strings.NewReader(records), several)
	if err != nil {
		t.Fatal(err)
	}
	want := read.Counts()
	want.LongestRecord = 3
	note("records of several texts, counted", counts, want)
	counts = Counts{}
	several.Counts = &counts
	if _, err := r.Copy(t.Context(), io.Discard, strings.NewReader(records), several); err != nil {
		t.Fatal(err)
	}
	note("records of several texts", counts, want)
	v := reflect.ValueOf(seen)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "Drawn" && v.Field(i).IsZero() {
			t.Errorf("no plan counts %s", v.Type().Field(i).Name)
		}
	}
	if slices.Contains(plain, "") {
		t.Error("a line is empty")
	}
}

// lineReader returns a line at a time: an input that pauses after each.
type lineReader struct{ rest string }

func (r *lineReader) Read(p []byte) (int, error) {
	if r.rest == "" {
		return 0, io.EOF
	}
	n := copy(p, r.rest[:strings.IndexByte(r.rest, '\n')+1])
	r.rest = r.rest[n:]
	return n, nil
}
