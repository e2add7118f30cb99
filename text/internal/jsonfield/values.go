package jsonfield

import (
	"encoding/json"
	"strconv"
)

// Values returns the value of each path in a document: that of a string, a number or a
// boolean, and nil for any other. Several values are joined by line breaks. It returns nil for
// what is not JSON.
func (f Fields) Values(document []byte) [][]byte {
	if !json.Valid(document) {
		return nil
	}
	values := make([][]byte, len(f.Paths))
	c := cursor{data: document}
	c.collect(f.matches(), func(path int, value []byte) {
		if values[path] == nil {
			values[path] = value
			return
		}
		values[path] = append(append(values[path], '\n'), value...) // no value has room for more in the document
	})
	return values
}

// collect calls each with every string, number and boolean at the end of a path, in the
// order of the document, which is valid.
func (c *cursor) collect(active []match, each func(path int, value []byte)) {
	c.space()
	var value []byte
	switch c.data[c.at] {
	case '{':
		c.collectInside(active, '}', each)
		return
	case '[':
		c.collectInside(active, ']', each)
		return
	case '"':
		value = []byte(c.string())
	default:
		if value = c.scalar(); string(value) == "null" {
			return
		}
	}
	for _, m := range active {
		if len(m.steps) == 0 {
			each(m.path, value)
		}
	}
}

// collectInside collects from the members of an object, or the elements of a list.
func (c *cursor) collectInside(active []match, closing byte, each func(path int, value []byte)) {
	c.at++
	position := 0
	for c.space(); c.data[c.at] != closing; c.space() {
		if c.data[c.at] == ',' {
			c.at++
			c.space()
		}
		var inside []match
		if closing == '}' {
			key := c.string()
			c.space()
			c.at++ // :
			inside = step(active, func(s string) bool { return s == key })
		} else {
			inside = step(active, func(s string) bool { return s == everyElement || s == strconv.Itoa(position) })
		}
		c.collect(inside, each)
		position++
	}
	c.at++
}
