package jsonfield

import (
	"strconv"
	"strings"
)

// Template is a document without the values of its columns.
type Template struct {
	Order   []int    // the columns, in the order of the document
	Between [][]byte // before each of these values, and after the last
}

// TemplateOf returns the document whose values the paths lead to, so that what is written can
// be read back by them: note.body is a key in an object, and the first or every element of a
// list is its only one. Where no document has all paths, such as a and a.b, or where a name has
// spaces, as columns of tables do, each is one key.
func TemplateOf(columns []string) Template {
	root := &node{column: -1}
	for i, c := range columns {
		p, err := Parse(c)
		if err != nil || strings.ContainsRune(c, ' ') || !root.grow(p.steps, i) {
			return flat(columns)
		}
	}
	if root.list {
		return flat(columns)
	}
	t := &Template{Between: [][]byte{nil}}
	root.write(t)
	return *t
}

// flat has one object with a key for each column.
func flat(columns []string) (t Template) {
	text := []byte{'{'}
	for i, c := range columns {
		if i > 0 {
			text = append(text, ',')
		}
		t.Order, t.Between = append(t.Order, i), append(t.Between, append(Append(text, []byte(c)), ':'))
		text = nil
	}
	t.Between = append(t.Between, append(text, '}'))
	return t
}

// node is an object, a list of one element, or the value of a column.
type node struct {
	keys     []string // of an object
	children []*node
	list     bool
	column   int // of a value, else -1
}

// grow adds the way to a column, and reports whether it fits what is there.
func (n *node) grow(steps []string, column int) bool {
	if n.column >= 0 {
		return false
	}
	if len(steps) == 0 {
		n.column = column
		return len(n.children) == 0
	}
	step := steps[0]
	first := step == everyElement || step == "0"
	if _, err := strconv.Atoi(step); err == nil && !first || len(n.children) > 0 && n.list != first {
		return false
	}
	n.list = first
	if first {
		step = "0"
	}
	for i, key := range n.keys {
		if key == step {
			return n.children[i].grow(steps[1:], column)
		}
	}
	child := &node{column: -1}
	n.keys, n.children = append(n.keys, step), append(n.children, child)
	return child.grow(steps[1:], column)
}

// write adds what a node and all within it hold.
func (n *node) write(t *Template) {
	add := func(text ...byte) {
		last := len(t.Between) - 1
		t.Between[last] = append(t.Between[last], text...)
	}
	switch {
	case n.column >= 0:
		t.Order, t.Between = append(t.Order, n.column), append(t.Between, nil)
	case n.list:
		add('[')
		n.children[0].write(t)
		add(']')
	default:
		for i, child := range n.children {
			if i == 0 {
				add('{')
			} else {
				add(',')
			}
			add(append(Append(nil, []byte(n.keys[i])), ':')...)
			child.write(t)
		}
		add('}')
	}
}
