package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/text/fault"
)

// findJSON returns the texts at the paths of the document that a walk begins.
func findJSON(w *jsonWalk, paths []path) ([]span, error) {
	if !json.Valid(w.data[w.at:]) {
		return nil, notJSON(w.data[w.at:], w.line)
	}
	start := w.at
	w.found = make([]bool, len(paths))
	active := make([]match, len(paths))
	for i, p := range paths {
		active[i] = match{i, p.steps}
	}
	if err := w.value(active, paths); err != nil {
		return nil, err
	}
	for i, ok := range w.found {
		if !ok && !paths[i].optional {
			if w.line == 1 && w.data[start] == '[' {
				return nil, notJSON(w.data[start:], w.line)
			}
			return nil, absent(paths[i].text, w.line)
		}
	}
	if w.stuck {
		return nil, &InputError{Kind: fault.Field, Line: w.line, What: "the path of a field leads through a value that it does not fit, such as a number or a list without [*]"}
	}
	return w.spans, nil
}

// jsonWalk walks one valid document and records the strings at the paths.
type jsonWalk struct {
	data  []byte
	at    int
	line  int
	spans []span
	found []bool
	// With each, of has the numbers of the paths that end at each of spans.
	each bool
	of   [][]int
	// closed is for documents from elsewhere: keys match in any case, a key with
	// dots counts as several, a key applies to each element of a list, and a value
	// that a path cannot enter is an error with the field's name.
	closed bool
	// total: the text of a value at the end of a path that is not a string is its JSON.
	total bool
	// stuck: a path met a value that it cannot enter, which may hold what the path names.
	// It makes the document unreadable, since it would be copied. Closed walks have refuse.
	stuck bool
}

// value reads one value.
func (w *jsonWalk) value(active []match, paths []path) error {
	w.space()
	var here []int
	for _, m := range active {
		if len(m.steps) == 0 {
			here = append(here, m.path)
		}
	}
	w.stuck = w.stuck || !w.closed && len(here) == 0 && w.entersNot(active)
	var err error
	holds := true // a text, or none
	start, before := w.at, len(w.spans)
	switch w.data[w.at] {
	case '{':
		holds, err = false, w.object(active, paths)
	case '[':
		holds, err = false, w.list(active, paths)
	case '"':
		err = w.text(active, here, paths)
	default:
		holds, err = w.scalar(active, paths)
	}
	switch {
	case err != nil:
		return err
	case !holds && len(here) > 0 && w.total:
		w.spans = w.spans[:before]
		w.add(span{start: start, end: w.at, text: w.data[start:w.at], unread: &surround{}}, here)
		fallthrough
	case holds:
		for _, i := range here {
			w.found[i] = true
		}
	case len(here) > 0:
		return &InputError{Kind: fault.Field, Line: w.line, What: fmt.Sprintf("field %q is not a string", paths[here[0]].text)}
	}
	return nil
}

// object visits every key, so a key that occurs twice is replaced twice.
func (w *jsonWalk) object(active []match, paths []path) error {
	if err := w.refuse(active, paths, func(s string) bool { return s == everyElement }); err != nil {
		return err
	}
	w.at++
	for w.space(); w.data[w.at] != '}'; w.space() {
		if w.data[w.at] == ',' {
			w.at++
			w.space()
		}
		key := w.string()
		w.space()
		w.at++ // :
		inside := step(active, func(s string) bool { return w.same(s, key) })
		if w.closed {
			further, err := w.dotted(active, key, paths)
			if err != nil {
				return err
			}
			inside = append(inside, further...)
		}
		if err := w.value(inside, paths); err != nil {
			return err
		}
	}
	w.at++
	return nil
}

// list visits every element.
func (w *jsonWalk) list(active []match, paths []path) error {
	w.at++
	i := 0
	for w.space(); w.data[w.at] != ']'; w.space() {
		if w.data[w.at] == ',' {
			w.at++
		}
		position := strconv.Itoa(i)
		inside := step(active, func(s string) bool { return s == everyElement || s == position })
		if w.closed {
			inside = append(inside, through(active)...)
		}
		if err := w.value(inside, paths); err != nil {
			return err
		}
		i++
	}
	w.at++
	if i == 0 { // an empty list satisfies every path into its elements
		for _, m := range active {
			if len(m.steps) > 0 && m.steps[0] == everyElement {
				w.found[m.path] = true
			}
		}
	}
	return nil
}

// text reads a string, and records it if a path ends here.
func (w *jsonWalk) text(active []match, here []int, paths []path) error {
	if err := w.refuse(active, paths, func(string) bool { return true }); err != nil {
		return err
	}
	start := w.at
	raw := w.raw()
	if len(here) > 0 {
		w.add(span{start: start, end: w.at, text: unescapeJSON(raw)}, here)
	}
	return nil
}

// scalar reads a number, true, false or null. A null is accepted in place of a
// text.
func (w *jsonWalk) scalar(active []match, paths []path) (null bool, err error) {
	start := w.at
	for w.at < len(w.data) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(w.data[w.at])) {
		w.at++
	}
	if string(w.data[start:w.at]) == "null" {
		return true, nil
	}
	return false, w.refuse(active, paths, func(string) bool { return true })
}

func (w *jsonWalk) space() {
	for w.at < len(w.data) && (w.data[w.at] == ' ' || w.data[w.at] == '\t' || w.data[w.at] == '\r' || w.data[w.at] == '\n') {
		w.at++
	}
}

// string reads a string and returns its content.
func (w *jsonWalk) string() string { return string(unescapeJSON(w.raw())) }

// raw reads a string and returns the bytes between its quotes.
func (w *jsonWalk) raw() []byte {
	start := w.at
	for w.at++; w.data[w.at] != '"'; w.at++ {
		if w.data[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.data[start+1 : w.at-1]
}
