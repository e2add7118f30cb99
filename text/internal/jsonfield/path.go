package jsonfield

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
)

// Path is a way into a document: object keys, array positions, or every element.
type Path struct {
	Text     string // as it was given
	Optional bool   // it need not lead anywhere
	steps    []string
}

const everyElement = "[*]"

// dotInKey represents a dot of a key while a path is cut into steps. It is not UTF-8, as keys are.
const dotInKey = "\xfe"

// dotEscapes are the backslashes before a dot. All others are those of a key.
var dotEscapes = regexp.MustCompile(`\\+\.`)

// mark reads the escapes of a path: of the backslashes before a dot each pair is one, and one
// that is left makes the dot part of the key.
func mark(path string) string {
	return dotEscapes.ReplaceAllStringFunc(path, func(run string) string {
		n := len(run) - 1
		dot := "."
		if n%2 == 1 {
			dot = dotInKey
		}
		return strings.Repeat(`\`, n/2) + dot
	})
}

// Parse reads a.b, items.0.text, items[0].text and items[*].text. The key a.b of one object is
// a\.b; a backslash before a dot is written twice.
func Parse(text string) (Path, error) {
	normal := strings.NewReplacer("[*]", ".[*]", "[]", ".[*]").Replace(mark(text))
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
	p := Path{Text: text}
	for _, s := range strings.Split(strings.TrimPrefix(normal, "."), ".") {
		if s == "" {
			return p, &fault.FieldError{What: fmt.Sprintf("path %q has an empty step", text)}
		}
		p.steps = append(p.steps, strings.ReplaceAll(s, dotInKey, "."))
	}
	return p, nil
}

// Same reports whether two paths have the same steps.
func (p Path) Same(q Path) bool { return slices.Equal(p.steps, q.steps) }

// Meets reports whether two paths may lead to one value.
func (p Path) Meets(q Path) bool {
	return slices.EqualFunc(p.steps, q.steps, func(a, b string) bool { return a == b || a == everyElement || b == everyElement })
}

// Many reports whether a path may lead to several values.
func (p Path) Many() bool { return slices.Contains(p.steps, everyElement) }

// Single returns the value at the path in a document: a string, a number, true,
// false or null. Where the path is optional, null and no value are the empty string.
func (p Path) Single(document []byte, line int) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return "", &fault.InputError{Kind: fault.JSON, Line: line, What: "not a JSON document"}
	}
	for _, step := range p.steps {
		var ok bool
		switch inside := v.(type) {
		case map[string]any:
			v, ok = inside[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(inside) && strconv.Itoa(i) == step {
				v, ok = inside[i], true
			}
		}
		if !ok && p.Optional {
			return "", nil
		}
		if !ok {
			return "", Absent(p.Text, line)
		}
	}
	if v == nil && p.Optional {
		return "", nil
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case nil:
		return "null", nil
	case json.Number, bool:
		return fmt.Sprint(v), nil
	}
	return "", &fault.InputError{Kind: fault.Field, Line: line, What: fmt.Sprintf("field %q is not a single value", p.Text)}
}
