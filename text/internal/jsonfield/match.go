package jsonfield

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
)

// match is a path that leads to or into the current value: its number and the
// steps still to go.
type match struct {
	path  int
	steps []string
}

// entersNot reports whether a path leads on from a value by its first byte, which is
// neither null nor a value with such steps.
func entersNot(active []match, begins byte) bool {
	for _, m := range active {
		_, err := strconv.Atoi(m.steps[0])
		element := m.steps[0] == everyElement
		switch begins {
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

// dotted follows a key such as user.note, which some programs read as note in user.
func dotted(active []match, key string, paths []Path, line int) (on []match, err error) {
	names := strings.Split(key, ".")
	if len(names) == 1 {
		return nil, nil
	}
	for _, m := range active {
		n := min(len(names), len(m.steps))
		switch {
		case n == 0 || !slices.EqualFunc(names[:n], m.steps[:n], strings.EqualFold):
		case n < len(names):
			return nil, &fault.InputError{Kind: fault.Field, Line: line, What: fmt.Sprintf("field %q must be a string, but a key with dots names a part of it", paths[m.path].Text)}
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
