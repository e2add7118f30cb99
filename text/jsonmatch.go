package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
)

// entersNot reports whether a path leads on from the value that begins here, which is
// neither null nor a value with such steps.
func (w *jsonWalk) entersNot(active []match) bool {
	for _, m := range active {
		_, err := strconv.Atoi(m.steps[0])
		element := m.steps[0] == everyElement
		switch w.data[w.at] {
		case '{':
			if element {
				return true
			}
		case '[':
			if !element && err != nil {
				return true
			}
		case 'n': // null holds no text
		default:
			return true
		}
	}
	return false
}

// match is a path that leads to or into the current value: its number and the
// steps still to go.
type match struct {
	path  int
	steps []string
}

func (w *jsonWalk) same(step, key string) bool {
	return step == key || w.closed && strings.EqualFold(step, key)
}

// add appends the text at the end of some paths.
func (w *jsonWalk) add(s span, paths []int) {
	if w.each {
		w.of = append(w.of[:len(w.spans)], paths)
	}
	w.spans = append(w.spans, s)
}

// refuse returns an error if a closed walk has a path that cannot enter this
// value: its text may be elsewhere in the value.
func (w *jsonWalk) refuse(active []match, paths []path, cannot func(step string) bool) error {
	for _, m := range active {
		if w.closed && len(m.steps) > 0 && cannot(m.steps[0]) {
			return &InputError{Kind: fault.Field, Line: w.line, What: fmt.Sprintf("field %q leads through a value that it does not fit, such as a number or a list without [*]", paths[m.path].text)}
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
			return nil, &InputError{Kind: fault.Field, Line: w.line, What: fmt.Sprintf("field %q must be a string, but a key with dots names a part of it", paths[m.path].text)}
		default:
			on = append(on, match{m.path, m.steps[n:]})
		}
	}
	return on, nil
}

// through keeps the matches whose next step is a key: it applies to each element
// of a list.
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

// step keeps the matches whose next step is accepted by takes.
func step(active []match, takes func(string) bool) []match {
	var on []match
	for _, m := range active {
		if len(m.steps) > 0 && takes(m.steps[0]) {
			on = append(on, match{m.path, m.steps[1:]})
		}
	}
	return on
}
