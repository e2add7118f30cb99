package sottobeam

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/detect"
	"github.com/sotto-dp/sotto/typed"
)

// Marks say which places of each text are rewritten. All else is copied: the guarantee is for
// a mark, given the marks and their types, and a whole text has none. What was not marked
// stays in clear. No ledger can charge for them.
type Marks struct {
	// Spans is the field of the element with the marks of its text, of type []text.Span: the
	// element then has one text. A nested field has dots before its name. The field is
	// empty in the private copy, because it describes the text. With an empty name the
	// patterns mark alone.
	Spans string
	// Patterns marks what has a shape too, such as e-mail addresses, numbers and dates. They
	// find no names.
	Patterns bool
	// Typed replaces each mark within its type, as [sotto.Marks] does. Otherwise the words of
	// marks are drawn.
	Typed bool
	// Strict refuses types without a codebook. Epsilons are those of types, and Codebooks
	// the names of embedded codebooks of types, such as person-de.
	Strict    bool               `json:",omitempty"`
	Epsilons  map[string]float64 `json:",omitempty"`
	Codebooks map[string]string  `json:",omitempty"`
}

// ask adds what marks ask for to a request.
func (m *Marks) ask(r *request.Request) {
	if m == nil {
		return
	}
	if m.Spans != "" {
		r.Spans = "of each element"
	}
	r.MarkPatterns = m.Patterns
	r.Within = request.Within{Typed: m.Typed, StrictTypes: m.Strict, TypeEpsilon: m.Epsilons, TypeCodebook: m.Codebooks}
}

// markedFields is fieldsOf with the field of the marks, if there is one.
func (c Config) markedFields(t reflect.Type) (*fields, error) {
	f, err := fieldsOf(t, c.Fields)
	m := c.Marks
	switch {
	case err != nil || m == nil:
		return f, err
	case m.Spans == "" && !m.Patterns:
		return nil, errors.New("sottobeam: marks need the field of the spans, or patterns")
	case m.Spans == "":
		return f, nil
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("sottobeam: %s has no field of spans", t)
	}
	path, of, err := find(t, m.Spans)
	switch {
	case err != nil:
		return nil, err
	case of != reflect.TypeFor[[]text.Span]():
		return nil, fmt.Errorf("sottobeam: field %s must be a []text.Span, got %s", m.Spans, of)
	case len(f.paths) != 1 || t.FieldByIndex(f.paths[0]).Type.Kind() == reflect.Slice:
		return nil, fmt.Errorf("sottobeam: with field %s an element has one text", m.Spans)
	}
	f.spans = path
	return f, nil
}

// given returns the marks that an element has for its texts.
func (f *fields) given(x any, texts int) []text.Spans {
	if f.spans == nil || texts == 0 {
		return make([]text.Spans, texts)
	}
	return []text.Spans{reflect.ValueOf(x).FieldByIndex(f.spans).Interface().([]text.Span)}
}

// read reads texts, with their marks if only marks are rewritten. Errors quote nothing of them.
func (w *Worker) read(texts [][]byte, given []text.Spans, at sotto.Position) (*sotto.Pending, error) {
	if w.cfg.Marks == nil {
		return w.Rewriter.ReadAt(texts, at)
	}
	for i, of := range texts {
		err := given[i].Check(of)
		if err == nil {
			err = w.Rewriter.CheckMarks(given[i])
		}
		if err == nil && w.cfg.Marks.Patterns {
			given[i], err = detect.Patterns(of, given[i])
		}
		if err != nil {
			return nil, &marksError{err}
		}
	}
	return w.Rewriter.ReadSpans(texts, given, at)
}

// marksError is a fault of the marks of an element.
type marksError struct{ err error }

func (e *marksError) Error() string { return "its marks: " + e.err.Error() }

// state states where marks came from.
func (m *Marks) state(s *sotto.Statement) {
	if m == nil {
		return
	}
	s.LeaveOut(m.Spans)
	if m.Patterns {
		s.Detected(detect.Version())
	}
}

// noCodebook refuses a codebook that is a file: workers open none.
func noCodebook(_ context.Context, kind, name string) (*typed.Codebook, error) {
	return nil, privacy.Bad("sottobeam", "the codebook of "+kind, fmt.Sprintf("%q", name), "an embedded one: "+strings.Join(typed.Codebooks(), ", "))
}
