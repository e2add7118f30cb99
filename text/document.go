package text

import (
	"github.com/sotto-dp/sotto/text/internal/jsonfield"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// JSONFields finds the strings at some paths of single JSON documents. It is
// safe for concurrent use.
type JSONFields struct{ fields jsonfield.Fields }

// NewJSONFields parses paths as the jsonl format does, such as note, a.b and
// items[*].body. The strings of required paths must be in every document; those
// of optional ones may be missing.
func NewJSONFields(required, optional []string) (*JSONFields, error) {
	f := &JSONFields{jsonfield.Fields{Closed: true}}
	for i, list := range [][]string{required, optional} {
		for _, text := range list {
			p, err := jsonfield.Parse(text)
			if err != nil {
				return nil, err
			}
			p.Optional = i == 1
			f.fields.Paths = append(f.fields.Paths, p)
		}
	}
	return f, nil
}

// Document is a JSON document with the texts that were found in it.
type Document struct {
	data  []byte
	spans []records.Span
}

// Find finds the texts of a document. Keys match in any case, as many decoders
// accept that. A key applies to each element of a list: a.b finds the b of
// {"a":[{"b":""}]} too. A null holds no text. Any other value at a path that is
// not a string, or that a path cannot enter, is an *InputError with line 1: it
// may hold what the path names.
func (f *JSONFields) Find(document []byte) (*Document, error) {
	spans, _, err := f.fields.Find(document, 0, 1)
	if err != nil {
		return nil, err
	}
	return &Document{document, spans}, nil
}

// Texts returns the texts, in order. They are the private input.
func (d *Document) Texts() [][]byte {
	texts := make([][]byte, len(d.spans))
	for i, s := range d.spans {
		texts[i] = s.Text
	}
	return texts
}

// Replace returns the document with the texts replaced by private copies, one for
// each, in order. All other bytes are unchanged.
func (d *Document) Replace(private [][]byte) ([]byte, error) {
	return records.Replace(d.data, d.spans, private, &jsonLines{})
}
