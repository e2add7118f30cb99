// Package jsonfield finds the texts at some paths of JSON documents, and writes strings of
// JSON.
package jsonfield

import (
	"encoding/json"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// Fields are the fields of documents that hold texts.
type Fields struct {
	Paths []Path
	// Each gives a document one text for each path, in order, at its beginning. Several
	// values of a path are joined by line breaks.
	Each bool
	// Closed is for documents from elsewhere: keys match in any case, a key with
	// dots counts as several, a key applies to each element of a list, and a value
	// that a path cannot enter is an error with the field's name.
	Closed bool
	// Total: the text of a value at the end of a path that is not a string is its JSON.
	Total bool
}

// Find returns the texts of the document data[at:], and which paths lead somewhere in it: nil
// if it is not JSON.
func (f Fields) Find(data []byte, at, line int) (texts []records.Span, leads []bool, err error) {
	if !json.Valid(data[at:]) {
		return nil, nil, NotJSON(data[at:], line)
	}
	w := &walk{cursor: cursor{data, at}, line: line, each: f.Each, closed: f.Closed, total: f.Total, found: make([]bool, len(f.Paths))}
	if err := w.value(f.matches(), f.Paths); err != nil {
		return nil, w.found, err
	}
	for i, ok := range w.found {
		if !ok && !f.Paths[i].Optional {
			if line == 1 && data[at] == '[' {
				return nil, w.found, NotJSON(data[at:], line)
			}
			return nil, w.found, Absent(f.Paths[i].Text, line)
		}
	}
	if w.stuck {
		return nil, w.found, &fault.InputError{Kind: fault.Field, Line: line, What: "the path of a field leads through a value that it does not fit, such as a number or a list without [*]"}
	}
	if f.Each {
		return w.joined(at), w.found, nil
	}
	return w.spans, w.found, nil
}

// matches returns the paths at the beginning of a document.
func (f Fields) matches() []match {
	active := make([]match, len(f.Paths))
	for i, p := range f.Paths {
		active[i] = match{i, p.steps}
	}
	return active
}

// joined returns one text for each path, at the beginning of the document.
func (w *walk) joined(at int) []records.Span {
	spans := make([]records.Span, len(w.found))
	for i := range spans {
		spans[i] = records.Span{Start: at, End: at}
	}
	for i, s := range w.spans {
		for _, p := range w.of[i] {
			if spans[p].Text == nil {
				spans[p].Begin(s)
			} else {
				spans[p].Join(s)
			}
		}
	}
	return spans
}
