package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/text/fault"
)

// Span is a marked place of a text: characters from Start (included) to End (excluded),
// counted from 0 in Unicode code points, as Python indexes strings. Type is the detector's name
// of what it marked, as the detector writes it; empty if it has none.
type Span struct {
	Start, End int
	Type       string
}

// ErrSpans is a fault of the JSON of spans.
var ErrSpans error = spansError{}

type spansError struct{}

func (spansError) Error() string {
	return `spans must be a JSON array of objects with the integers "start" and "end", or an object that has one as "spans", "ents" or "entities"; an object may have a key once`
}

func (spansError) FaultKind() fault.Kind { return fault.Spans }

// Spans are the marked places of one text. They are read from JSON as [ReadSpans] reads them.
type Spans []Span

// UnmarshalJSON reads the JSON of a detector. Its error repeats nothing of the data.
func (s *Spans) UnmarshalJSON(data []byte) (err error) {
	*s, err = ReadSpans(data)
	return err
}

// Check returns a *SpanError if the spans do not fit the text.
func (s Spans) Check(of []byte) error {
	_, _, err := Cut(of, s)
	return err
}

// ReadSpans reads the spans of one text: a JSON array of objects with "start" and "end", as
// Presidio's analyzer writes them, or an object with such an array under "spans", "ents"
// (as spaCy's Doc.to_json writes it) or "entities". The type of a span is the string under
// "entity_type" (Presidio), "label" (spaCy, GLiNER), "entity_group" (transformers) or "type",
// the first that is there. All other fields are ignored, and so are keys in another case. An
// object that has a key twice, in any case, is refused: another reader may take the other one.
// Errors repeat nothing of the data.
func ReadSpans(data []byte) ([]Span, error) {
	if strictjson.Unique(data) != nil {
		return nil, ErrSpans
	}
	data = bytes.TrimSpace(data)
	if data[0] == '{' {
		var doc map[string]json.RawMessage
		if json.Unmarshal(data, &doc) != nil {
			return nil, ErrSpans
		}
		data = nil
		for _, name := range []string{"spans", "ents", "entities"} {
			if list, ok := doc[name]; ok && data != nil {
				return nil, ErrSpans // which of the two is meant?
			} else if ok {
				data = list
			}
		}
	}
	var read []map[string]json.RawMessage // a struct would take keys in any case
	if len(data) == 0 || data[0] != '[' || json.Unmarshal(data, &read) != nil {
		return nil, ErrSpans
	}
	spans := make([]Span, len(read))
	for i, s := range read {
		start, end := place(s["start"]), place(s["end"])
		if start == nil || end == nil {
			return nil, ErrSpans
		}
		spans[i] = Span{*start, *end, kind(s)}
	}
	return spans, nil
}

// kind returns the type of a span, empty if it has none.
func kind(of map[string]json.RawMessage) (name string) {
	for _, key := range []string{"entity_type", "label", "entity_group", "type"} {
		if data, ok := of[key]; ok {
			_ = json.Unmarshal(data, &name) // a type that is no string is no type
			return name
		}
	}
	return ""
}

// Sorted returns the spans in the order of the text, as [Cut] cuts them.
func (s Spans) Sorted() Spans {
	sorted := slices.Clone(s)
	slices.SortStableFunc(sorted, func(a, b Span) int { return a.Start - b.Start })
	return sorted
}

// place reads an integer; it returns nil if there is none.
func place(data json.RawMessage) (n *int) {
	if json.Unmarshal(data, &n) != nil {
		return nil
	}
	return n
}

// SpanError reports a span that does not fit its text or the other spans. Numbers are
// counted from 1 in the order of the spans as given.
type SpanError struct {
	Span  int
	Other int // the span that it overlaps; 0 if there is none
}

// FaultKind returns fault.Spans.
func (e *SpanError) FaultKind() fault.Kind { return fault.Spans }

func (e *SpanError) Error() string {
	if e.Other > 0 {
		return fmt.Sprintf("spans %d and %d overlap", min(e.Span, e.Other), max(e.Span, e.Other))
	}
	return fmt.Sprintf("span %d is empty or outside the text (places are counted in characters, from 0)", e.Span)
}

// Cut cuts a text at its spans: kept has the parts before, between and after the spans,
// marked the spans, in the order of the text. There is one part more than spans.
func Cut(text []byte, spans []Span) (kept, marked [][]byte, err error) {
	order := make([]int, len(spans))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return spans[a].Start - spans[b].Start })
	at, place := 0, 0 // bytes and characters read
	skip := func(to int) bool {
		for ; place < to && at < len(text); place++ {
			_, n := utf8.DecodeRune(text[at:])
			at += n
		}
		return place == to
	}
	from := 0
	for k, i := range order {
		s := spans[i]
		if k > 0 && s.Start < spans[order[k-1]].End && s.End > s.Start {
			return nil, nil, &SpanError{Span: i + 1, Other: order[k-1] + 1}
		}
		if s.Start < 0 || s.End <= s.Start || !skip(s.Start) {
			return nil, nil, &SpanError{Span: i + 1}
		}
		begin := at
		if !skip(s.End) {
			return nil, nil, &SpanError{Span: i + 1}
		}
		kept, marked = append(kept, text[from:begin]), append(marked, text[begin:at])
		from = at
	}
	return append(kept, text[from:]), marked, nil
}
