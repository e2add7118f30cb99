package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/text/fault"
)

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
			return p, &FieldError{What: fmt.Sprintf("path %q has an empty step", text)}
		}
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// single returns the value at the path in a document: a string, a number, true,
// false or null. Where the path is optional, null and no value are the empty string.
func (p path) single(document []byte, line int) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return "", &InputError{Kind: fault.JSON, Line: line, What: "not a JSON document"}
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
		if !ok && p.optional {
			return "", nil
		}
		if !ok {
			return "", absent(p.text, line)
		}
	}
	if v == nil && p.optional {
		return "", nil
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number, bool, nil:
		return fmt.Sprint(orNull(v)), nil
	}
	return "", &InputError{Kind: fault.Field, Line: line, What: fmt.Sprintf("field %q is not a single value", p.text)}
}

func orNull(v any) any {
	if v == nil {
		return "null"
	}
	return v
}
