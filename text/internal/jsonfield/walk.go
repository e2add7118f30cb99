package jsonfield

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
	"github.com/sotto-dp/sotto/text/internal/records"
)

// walk records the strings at the paths of one valid document.
type walk struct {
	cursor
	line  int
	spans []records.Span
	of    [][]int // with each: the numbers of the paths that end at each of spans
	found []bool
	// stuck: a path met a value that it cannot enter, which may hold what the path names.
	// It makes the document unreadable, since it would be copied. Closed walks have refuse.
	stuck               bool
	each, closed, total bool // see Fields
	scalars             bool // see Values
}

// value reads one value.
func (w *walk) value(active []match, paths []Path) error {
	w.space()
	var here []int
	for _, m := range active {
		if len(m.steps) == 0 {
			here = append(here, m.path)
		}
	}
	w.stuck = w.stuck || !w.closed && len(here) == 0 && entersNot(active, w.data[w.at])
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
		holds, err = w.plain(active, paths)
	}
	switch {
	case err != nil:
		return err
	case !holds && len(here) > 0 && w.scalars:
		if begins := w.data[start]; begins != '{' && begins != '[' {
			w.add(records.Span{Text: w.data[start:w.at]}, here)
		}
	case !holds && len(here) > 0 && w.total:
		w.spans = w.spans[:before]
		w.add(records.Span{Start: start, End: w.at, Text: w.data[start:w.at], Unread: &records.Around{}}, here)
		fallthrough
	case holds:
		for _, i := range here {
			w.found[i] = true
		}
	case len(here) > 0:
		return &fault.InputError{Kind: fault.Field, Line: w.line, What: fmt.Sprintf("field %q is not a string", paths[here[0]].Text)}
	}
	return nil
}

// object visits every key, so a key that occurs twice is replaced twice.
func (w *walk) object(active []match, paths []Path) error {
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
			further, err := dotted(active, key, paths, w.line)
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
func (w *walk) list(active []match, paths []Path) error {
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
func (w *walk) text(active []match, here []int, paths []Path) error {
	if err := w.refuse(active, paths, func(string) bool { return true }); err != nil {
		return err
	}
	start := w.at
	raw := w.raw()
	if len(here) > 0 {
		w.add(records.Span{Start: start, End: w.at, Text: unescape(raw)}, here)
	}
	return nil
}

// plain reads a number, true, false or null. A null is accepted in place of a text.
func (w *walk) plain(active []match, paths []Path) (null bool, err error) {
	if string(w.scalar()) == "null" {
		return true, nil
	}
	return false, w.refuse(active, paths, func(string) bool { return true })
}

// add appends the text at the end of some paths.
func (w *walk) add(s records.Span, paths []int) {
	if w.each {
		w.of = append(w.of[:len(w.spans)], paths)
	}
	w.spans = append(w.spans, s)
}

func (w *walk) same(step, key string) bool {
	return step == key || w.closed && strings.EqualFold(step, key)
}

// refuse returns an error if a closed walk has a path that cannot enter this
// value: its text may be elsewhere in the value.
func (w *walk) refuse(active []match, paths []Path, cannot func(step string) bool) error {
	for _, m := range active {
		if w.closed && len(m.steps) > 0 && cannot(m.steps[0]) {
			return &fault.InputError{Kind: fault.Field, Line: w.line, What: fmt.Sprintf("field %q leads through a value that it does not fit, such as a number or a list without [*]", paths[m.path].Text)}
		}
	}
	return nil
}
