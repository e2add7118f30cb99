package jsonfield

import "encoding/json"

// Values returns the value of each path in a document: that of a string, a number or a
// boolean, and nil for any other. Several values are joined by line breaks. It returns nil for
// what is not JSON.
func (f Fields) Values(document []byte) [][]byte {
	if !json.Valid(document) {
		return nil
	}
	w := &walk{cursor: cursor{data: document}, each: true, scalars: true, found: make([]bool, len(f.Paths))}
	_ = w.value(f.matches(), f.Paths) // refuses nothing
	values := make([][]byte, len(f.Paths))
	for i, s := range w.spans {
		for _, path := range w.of[i] {
			if values[path] == nil {
				values[path] = s.Text[:len(s.Text):len(s.Text)]
			} else {
				values[path] = append(append(values[path], '\n'), s.Text...)
			}
		}
	}
	return values
}
