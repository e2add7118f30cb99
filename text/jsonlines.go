package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// jsonLines holds one JSON document a line; the strings at some paths are
// rewritten and all other bytes stay.
type jsonLines struct{ paths []path }

// path is a way into a document: object keys, array positions, or every element.
type path struct {
	text     string
	steps    []string
	optional bool // it need not lead anywhere
}

const everyElement = "[*]"

// parsePath reads a.b, items.0.text, items[0].text and items[*].text.
func parsePath(text string) (path, error) {
	normal := strings.NewReplacer("[*]", ".[*]", "[]", ".[*]").Replace(text)
	for i := strings.IndexByte(normal, '['); i >= 0; {
		j := strings.IndexByte(normal[i:], ']')
		if j < 0 {
			break
		}
		if inside := normal[i+1 : i+j]; inside != "*" {
			if _, err := strconv.Atoi(inside); err == nil {
				normal = normal[:i] + "." + inside + normal[i+j+1:]
			}
		}
		next := strings.IndexByte(normal[i+1:], '[')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	p := path{text: text}
	for _, s := range strings.Split(strings.TrimPrefix(normal, "."), ".") {
		if s == "" {
			return p, &FieldError{fmt.Sprintf("path %q has an empty step", text)}
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

func (j *jsonLines) ends(data []byte) int { return wholeLines(data) }

func (j *jsonLines) open(_ *records, fields []string) ([]byte, error) {
	if len(fields) == 0 {
		return nil, &FieldError{"jsonl needs --field, the path of a string, such as text or items[*].body"}
	}
	for _, f := range fields {
		p, err := parsePath(f)
		if err != nil {
			return nil, err
		}
		j.paths = append(j.paths, p)
	}
	return nil, nil
}

func (j *jsonLines) find(data []byte, line int) ([]span, error) {
	var spans []span
	for at := 0; at < len(data); line++ {
		end, next := cutLine(data, at)
		if len(bytes.TrimSpace(data[at:end])) > 0 {
			found, err := findJSON(data[:end], at, line, j.paths, false)
			if err != nil {
				return nil, err
			}
			spans = append(spans, found...)
		}
		at = next
	}
	return spans, nil
}

// findJSON returns the texts at the paths of the document data[at:]; closed is as
// in jsonWalk.
func findJSON(data []byte, at, line int, paths []path, closed bool) ([]span, error) {
	if !json.Valid(data[at:]) {
		return nil, &InputError{line, "not a JSON document"}
	}
	w := jsonWalk{data: data, at: at, line: line, closed: closed, found: make([]bool, len(paths))}
	active := make([]match, len(paths))
	for i, p := range paths {
		active[i] = match{i, p.steps}
	}
	if err := w.value(active, paths); err != nil {
		return nil, err
	}
	for i, ok := range w.found {
		if !ok && !paths[i].optional {
			return nil, &InputError{line, fmt.Sprintf("there is no field %q", paths[i].text)}
		}
	}
	return w.spans, nil
}

func (j *jsonLines) next(data []byte) int { return nextLine(data) }

// lineEnd is never asked for: no string ends its line.
func (j *jsonLines) lineEnd() string { return "\n" }

func (j *jsonLines) encode(dst, private []byte) []byte {
	quoted, err := appendJSONString(dst, private)
	if err != nil {
		panic(err) // a string always encodes
	}
	return quoted
}

func appendJSONString(dst, text []byte) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(text)); err != nil {
		return nil, err
	}
	return append(dst, bytes.TrimSuffix(buf.Bytes(), newline)...), nil
}

// match is a path that leads to or into the current value: its number and the
// steps still to go.
type match struct {
	path  int
	steps []string
}

// jsonWalk goes through one valid document and notes the strings at the paths.
type jsonWalk struct {
	data  []byte
	at    int
	line  int
	spans []span
	found []bool
	// closed is for documents of others: keys match in any case, a key with dots
	// leads as far as several, a key leads through lists to each of their elements,
	// and a path that ends early, at a
	// value that it cannot lead through, is an error. Else such a value stays as
	// it is.
	closed bool
}

func (w *jsonWalk) same(step, key string) bool {
	return step == key || w.closed && strings.EqualFold(step, key)
}

// value reads one value. It visits every key, so a key that stands twice is
// rewritten twice.
func (w *jsonWalk) value(active []match, paths []path) error {
	w.space()
	var here []int
	for _, m := range active {
		if len(m.steps) == 0 {
			here = append(here, m.path)
		}
	}
	switch w.data[w.at] {
	case '{':
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
	case '[':
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
		if i == 0 { // an empty list has every element that is asked for
			for _, m := range active {
				if len(m.steps) > 0 && m.steps[0] == everyElement {
					w.found[m.path] = true
				}
			}
		}
	case '"':
		if err := w.refuse(active, paths, func(string) bool { return true }); err != nil {
			return err
		}
		start := w.at
		text := w.string()
		if len(here) > 0 {
			w.spans = append(w.spans, span{start: start, end: w.at, text: []byte(text)})
		}
		w.mark(here)
		return nil
	default:
		start := w.at
		for w.at < len(w.data) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(w.data[w.at])) {
			w.at++
		}
		if string(w.data[start:w.at]) == "null" { // holds no text
			w.mark(here)
			return nil
		}
		if err := w.refuse(active, paths, func(string) bool { return true }); err != nil {
			return err
		}
	}
	if len(here) > 0 {
		return &InputError{w.line, fmt.Sprintf("field %q is not a string", paths[here[0]].text)}
	}
	return nil
}

func (w *jsonWalk) mark(here []int) {
	for _, i := range here {
		w.found[i] = true
	}
}

// refuse is an error where a closed walk has a path whose next step cannot be
// taken from this value: what it would lead to is somewhere else.
func (w *jsonWalk) refuse(active []match, paths []path, cannot func(step string) bool) error {
	for _, m := range active {
		if w.closed && len(m.steps) > 0 && cannot(m.steps[0]) {
			return &InputError{w.line, fmt.Sprintf("field %q does not lead through a value of this kind", paths[m.path].text)}
		}
	}
	return nil
}

// dotted follows a key such as user.note, which some programs read as note in user.
func (w *jsonWalk) dotted(active []match, key string, paths []path) (on []match, err error) {
	names := strings.Split(key, ".")
	if len(names) == 1 {
		return nil, nil
	}
	for _, m := range active {
		n := min(len(names), len(m.steps))
		switch {
		case n == 0 || !slices.EqualFunc(names[:n], m.steps[:n], strings.EqualFold):
		case n < len(names):
			return nil, &InputError{w.line, fmt.Sprintf("field %q is not a string: a key with dots leads into it", paths[m.path].text)}
		default:
			on = append(on, match{m.path, m.steps[n:]})
		}
	}
	return on, nil
}

// through keeps the matches whose next step is a key: in a list it is one of each
// element.
func through(active []match) []match {
	var on []match
	for _, m := range active {
		if len(m.steps) == 0 || m.steps[0] == everyElement {
			continue
		}
		if _, err := strconv.Atoi(m.steps[0]); err != nil {
			on = append(on, m)
		}
	}
	return on
}

// step keeps the matches whose next step is taken.
func step(active []match, takes func(string) bool) []match {
	var on []match
	for _, m := range active {
		if len(m.steps) > 0 && takes(m.steps[0]) {
			on = append(on, match{m.path, m.steps[1:]})
		}
	}
	return on
}

func (w *jsonWalk) space() {
	for w.at < len(w.data) && (w.data[w.at] == ' ' || w.data[w.at] == '\t' || w.data[w.at] == '\r' || w.data[w.at] == '\n') {
		w.at++
	}
}

// string reads a string and returns its content.
func (w *jsonWalk) string() string {
	start := w.at
	for w.at++; w.data[w.at] != '"'; w.at++ {
		if w.data[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	raw := w.data[start:w.at]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // valid: the document was checked
	return s
}
