package text

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestReadSpansReadsWhatDetectorsWrite(t *testing.T) {
	want := []Span{{Start: 3, End: 7}, {Start: 10, End: 12}}
	for name, data := range map[string]string{
		"presidio": `[{"entity_type":"PERSON","start":3,"end":7,"score":0.85,"analysis_explanation":null},{"entity_type":"LOCATION","start":10,"end":12,"score":1.0}]`,
		"spacy":    `{"text":"My Anna is in NY","ents":[{"start":3,"end":7,"label":"PERSON"},{"start":10,"end":12,"label":"GPE"}],"tokens":[{"id":0,"start":0,"end":2}]}`,
		"prodigy":  `{"text":"x","spans":[{"start":3,"end":7,"label":"PERSON"},{"start":10,"end":12,"label":"GPE","token_start":1}]}`,
		"entities": ` {"entities":[{"start":3,"end":7,"type":"A"},{"start":10,"end":12,"type":"B"}]} `,
	} {
		got, err := ReadSpans([]byte(data))
		for i := range got {
			got[i].Type = ""
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := ReadSpans([]byte("[]")); err != nil || len(got) != 0 {
		t.Errorf("no spans: %v, %v", got, err)
	}
	for _, data := range []string{"", "null", "{}", `"secret"`, `[{"start":1}]`, `[{"end":1}]`, `[null]`, `[{"start":1.5,"end":2}]`, `[{"start":"secret","end":2}]`, `[1,2]`,
		`{"ents":null}`, `{"spans":[],"ents":[]}`, `[{"start":1,"end":2}`, `[] []`, `{"text":"secret"}`,
		// keys in another case, and twice
		`[{"start":1,"END":2}]`, `[{"Start":1,"end":2}]`, `{"SPANS":[]}`, `[{"start":1,"end":2,"end":3}]`, `[{"start":1,"end":2,"End":3}]`, `[{"start":1,"start":1,"end":2}]`,
		`{"ents":[{"start":1,"end":2}],"ents":[]}`, `{"ents":[],"Ents":[]}`, `[{"start":1,"end":2,"score":1,"score":2}]`, `[{"start":1,"end":null}]`, `[{"start":null,"end":2}]`,
	} {
		if _, err := ReadSpans([]byte(data)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", data, err)
		}
	}
}

func TestCutCountsCharacters(t *testing.T) {
	kept, marked, err := Cut([]byte("Zoë 🙂 met Ann."), []Span{{Start: 10, End: 13}, {Start: 0, End: 3}, {Start: 4, End: 5}})
	if err != nil || fmt.Sprintf("%q %q", kept, marked) != `["" " " " met " "."] ["Zoë" "🙂" "Ann"]` {
		t.Errorf("%q %q %v", kept, marked, err)
	}
	if kept, marked, err = Cut([]byte("abc"), []Span{{Start: 0, End: 1}, {Start: 1, End: 3}}); err != nil || fmt.Sprintf("%q %q", kept, marked) != `["" "" ""] ["a" "bc"]` {
		t.Errorf("neighbours: %q %q %v", kept, marked, err)
	}
	if kept, marked, err = Cut(nil, nil); err != nil || len(kept) != 1 || len(marked) != 0 {
		t.Errorf("nothing: %q %q %v", kept, marked, err)
	}
	for _, c := range []struct {
		spans []Span
		want  SpanError
	}{
		{[]Span{{Start: 0, End: 6}}, SpanError{Span: 1}},
		{[]Span{{Start: 5, End: 6}}, SpanError{Span: 1}},
		{[]Span{{Start: -1, End: 2}}, SpanError{Span: 1}},
		{[]Span{{Start: 0, End: 1}, {Start: 3, End: 3}}, SpanError{Span: 2}},
		{[]Span{{Start: 3, End: 2}}, SpanError{Span: 1}},
		{[]Span{{Start: 2, End: 4}, {Start: 0, End: 3}}, SpanError{Span: 1, Other: 2}},
		{[]Span{{Start: 0, End: 5}, {Start: 1, End: 2}}, SpanError{Span: 2, Other: 1}},
		{[]Span{{Start: 1, End: 2}, {Start: 1, End: 2}}, SpanError{Span: 2, Other: 1}},
	} {
		var got *SpanError
		if _, _, err := Cut([]byte("secret"[:5]), c.spans); !errors.As(err, &got) || *got != c.want || strings.Contains(err.Error(), "secr") {
			t.Errorf("%v: %v", c.spans, err)
		}
	}
}

// The parts of a cut are the text, and each span has its characters.
func TestCutLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		runes := []rune(s)
		var spans []Span
		for at := 0; at < len(runes); {
			start := rapid.IntRange(at, len(runes)-1).Draw(t, "start")
			end := rapid.IntRange(start+1, len(runes)).Draw(t, "end")
			spans = append(spans, Span{Start: start, End: end})
			at = end
		}
		kept, marked, err := Cut([]byte(s), spans)
		if err != nil || len(kept) != len(spans)+1 || len(marked) != len(spans) {
			t.Fatalf("%d and %d parts: %v", len(kept), len(marked), err)
		}
		var whole []byte
		for i := range kept {
			whole = append(whole, kept[i]...)
			if i < len(marked) {
				if string(marked[i]) != string(runes[spans[i].Start:spans[i].End]) {
					t.Fatalf("span %d", i)
				}
				whole = append(whole, marked[i]...)
			}
		}
		if !bytes.Equal(whole, []byte(s)) {
			t.Fatal("the parts are another text")
		}
	})
}
