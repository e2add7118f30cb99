package text

import "strings"

// JSONFields finds the strings at some paths of single JSON documents. It is
// safe for concurrent use.
type JSONFields struct{ paths []path }

// NewJSONFields takes paths as the jsonl format does, such as note, a.b and
// items[*].body. The strings of required paths must be in every document, those
// of optional ones may be missing.
func NewJSONFields(required, optional []string) (*JSONFields, error) {
	f := &JSONFields{}
	for i, list := range [][]string{required, optional} {
		for _, text := range list {
			p, err := parsePath(text)
			if err != nil {
				return nil, err
			}
			p.optional = i == 1
			f.paths = append(f.paths, p)
		}
	}
	return f, nil
}

// Rewrite returns the document with the strings at the paths rewritten, as one
// batch with number 0, and all other bytes as they are. Keys match in any case:
// many decoders take them so. A null holds no text; any other value at a path
// is an *InputError, whose line is 1.
func (f *JSONFields) Rewrite(document []byte, rewrite Rewriter) ([]byte, error) {
	spans, err := findJSON(document, 0, 1, f.paths, strings.EqualFold)
	if err != nil {
		return nil, err
	}
	return splice(document, spans, 0, rewrite, &jsonLines{})
}
