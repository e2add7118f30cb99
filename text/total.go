package text

import "bytes"

// surround holds the bytes before and after a private text.
type surround struct{ before, after []byte }

// fieldFinder is a layout whose fields are in the records, not in a header.
type fieldFinder interface {
	// foundIn returns a *FieldError if every record of data can be read and one of the
	// fields is in none of them.
	foundIn(data []byte, line int) error
}

// Unread is known after Texts.
func (b *batch) Unread() int {
	n := 0
	for _, s := range b.spans {
		if s.unread != nil || !isText(s.text) {
			n++
		}
	}
	return n
}

// unreadable returns the texts of a record data[at:next] that is not one of the format:
// each is the whole record. They are written in the pieces of a record that holds
// nothing else.
func unreadable(data []byte, at, next int, pieces [][]byte) []span {
	record := bytes.TrimRight(data[at:next], "\r\n")
	spans := make([]span, len(pieces)-1)
	for i := range spans {
		spans[i] = span{start: at, end: at, text: record, unread: &surround{before: pieces[i]}}
	}
	last := &spans[len(spans)-1]
	last.end, last.closes, last.unread.after = next, data[next-1] == '\n', pieces[len(spans)]
	return spans
}

// emptyRecord returns a record of empty cells, in the pieces around the chosen ones.
func emptyRecord(chosen []bool, comma byte) [][]byte {
	pieces := [][]byte{nil}
	for i, is := range chosen {
		last := &pieces[len(pieces)-1]
		if i > 0 {
			*last = append(*last, comma)
		}
		if is {
			pieces = append(pieces, nil)
		}
	}
	return pieces
}

// foundIn walks the records once more: it is called for one batch.
// It says nothing about fewer records than a batch has: where the input paused, they may be one.
func (j *jsonLines) foundIn(data []byte, line int) error {
	records, found := 0, make([]bool, len(j.paths))
	for at := 0; at < len(data); {
		end, next := cutLine(data, at)
		if !blank(data[at:end]) {
			w := &jsonWalk{data: data[:end], at: at, line: line, total: true}
			if _, err := findJSON(w, j.paths); err != nil && w.found == nil {
				return nil // not JSON
			}
			records++
			for i, ok := range w.found {
				found[i] = found[i] || ok
			}
		}
		at = next
	}
	if j.least > records {
		return nil
	}
	for i, ok := range found {
		if !ok && records > 0 {
			return absentField(j.paths[i].text, records)
		}
	}
	return nil
}

// frame is a JSON document that holds texts and nothing else.
type frame struct {
	key   string // within an object; everyElement within a list
	inner []*frame
	text  bool
}

// emptyDocument returns a document with a text at each path, in the pieces around them.
func emptyDocument(paths []path) [][]byte {
	var root frame
	for _, p := range paths {
		root.add(p.steps)
	}
	return root.write([][]byte{nil})
}

func (f *frame) add(steps []string) {
	if len(steps) == 0 {
		f.text = len(f.inner) == 0
		return
	}
	if f.text {
		return
	}
	for _, in := range f.inner {
		if in.key == steps[0] {
			in.add(steps[1:])
			return
		}
	}
	if len(f.inner) > 0 && (steps[0] == everyElement || f.inner[0].key == everyElement) {
		return // a list is not an object
	}
	in := &frame{key: steps[0]}
	f.inner = append(f.inner, in)
	in.add(steps[1:])
}

// write appends to the last of the pieces, and begins a new one after each text.
func (f *frame) write(pieces [][]byte) [][]byte {
	put := func(s ...byte) { pieces[len(pieces)-1] = append(pieces[len(pieces)-1], s...) }
	if f.text {
		return append(pieces, nil)
	}
	list := f.inner[0].key == everyElement
	begin, end := byte('{'), byte('}')
	if list {
		begin, end = '[', ']'
	}
	put(begin)
	for i, in := range f.inner {
		if i > 0 {
			put(',')
		}
		if !list {
			put(append(quoteJSON([]byte(in.key)), ':')...)
		}
		pieces = in.write(pieces)
	}
	put(end)
	return pieces
}
