package sottobeam

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sotto-dp/sotto/text"
)

// note is a text with what a detector found in it.
type note struct {
	ID    int64 `sotto:"key"`
	Text  string
	Found []text.Span
}

var seenNotes struct {
	sync.Mutex
	all []note
}

func seeNote(n note) {
	seenNotes.Lock()
	defer seenNotes.Unlock()
	seenNotes.all = append(seenNotes.all, n)
}

func init() {
	beam.RegisterType(reflect.TypeFor[note]())
	beam.RegisterFunction(seeNote)
}

// Marks of elements are replaced within their types, and leave the element. An element whose
// marks do not fit is left out, and nothing of it is told.
func TestMarksOfElementsAreReplacedWithinTheirTypes(t *testing.T) {
	seenNotes.all = nil
	in := []note{
		{1, "KEPT " + hidden + ", a@" + hidden + ".example, KEPT", []text.Span{{Start: 5, End: 5 + len(hidden), Type: "PERSON"}}},
		{2, hidden + " KEPT", []text.Span{{Start: 0, End: 99, Type: "PERSON"}}},
		{3, hidden + " KEPT", []text.Span{{Start: 0, End: len(hidden), Type: "BADGE"}}},
		{4, "KEPT", nil},
	}
	cfg := Config{Fields: []string{"Text"}, Marks: &Marks{Spans: "Found", Patterns: true, Typed: true, Strict: true, Codebooks: map[string]string{"PERSON": "person-de"}}}
	if _, err := run(t, in, seeNote, cfg); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(seenNotes.all, func(a, b note) int { return int(a.ID - b.ID) })
	if len(seenNotes.all) != 2 || len(seen.failures) != 2 || len(seen.statements) != 1 {
		t.Fatalf("%+v, and %+v", seenNotes.all, seen.failures)
	}
	for _, n := range seenNotes.all {
		if strings.Contains(n.Text, hidden) || !strings.HasPrefix(n.Text, "KEPT") || !strings.HasSuffix(n.Text, "KEPT") || n.Found != nil {
			t.Errorf("%+v", n)
		}
	}
	for _, f := range seen.failures {
		if !strings.HasPrefix(f.What, "its marks: span 1 ") || strings.Contains(f.What, "BADGE") {
			t.Errorf("%+v", f)
		}
	}
	for _, want := range []string{`"unit": "mark"`, `"codebook": "person-de"`, `"spans_field": "Found"`, `"patterns": "`, `"EMAIL_ADDRESS"`, `"document_epsilon_max": null`} {
		if !strings.Contains(seen.statements[0], want) {
			t.Errorf("the statement lacks %s", want)
		}
	}
	if in[0].Found == nil {
		t.Error("the elements themselves were changed")
	}
}

func TestWrongMarksAreRefused(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	notes, strs, structs := beam.CreateList(s, []note{{}}), beam.CreateList(s, []string{"x"}), beam.CreateList(s, reviews(1))
	for _, c := range []struct {
		col    beam.PCollection
		fields string
		cfg    Config
		want   string
	}{
		{notes, "Text", Config{Marks: &Marks{Typed: true}}, "--typed needs"},
		{notes, "Text", Config{Epsilon: 3, Marks: &Marks{}}, "need the field of the spans, or patterns"},
		{notes, "Text", Config{Marks: &Marks{Spans: "Text", Typed: true}}, "must be a []text.Span, got string"},
		{notes, "Text", Config{Marks: &Marks{Spans: "Other", Typed: true}}, "there is no field Other"},
		{notes, "Text", Config{Marks: &Marks{Spans: "Found", Typed: true, Codebooks: map[string]string{"WARD": "wards.txt"}}}, "an embedded one"},
		{notes, "Text", Config{Ledger: "x.db", Account: "alice", Marks: &Marks{Spans: "Found", Typed: true}}, "marks cannot be used with a ledger"},
		{strs, "", Config{Marks: &Marks{Spans: "Found", Typed: true}}, "has no field of spans"},
		{structs, "Tags", Config{Marks: &Marks{Spans: "Tags", Typed: true}}, "must be a []text.Span"},
	} {
		if c.fields != "" {
			c.cfg.Fields = []string{c.fields}
		}
		if _, err := TryRewrite(s, c.col, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) && !strings.Contains(err.Error(), strings.TrimPrefix(c.want, "--")) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}
