package parquet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sotto-dp/sotto/text"
)

// leaf is a column that holds values, with its names.
type leaf struct {
	column *parquet.Column
	full   string // every step of the schema
	short  string // without the steps that a list is made of
}

// leaves lists the columns in the order of the file.
func leaves(root *parquet.Column) []leaf {
	var found []leaf
	var walk func(c *parquet.Column, full, short []string)
	walk = func(c *parquet.Column, full, short []string) {
		if c.Leaf() {
			found = append(found, leaf{c, strings.Join(full, "."), strings.Join(short, ".")})
			return
		}
		for _, child := range c.Columns() {
			full := append(slices.Clone(full), child.Name())
			if element := listElement(c, child); element != nil {
				walk(element, append(full, element.Name()), short)
				continue
			}
			walk(child, full, append(slices.Clone(short), child.Name()))
		}
	}
	walk(root, nil, nil)
	return found
}

// listElement returns the element of a list if c is a list of the usual three
// levels and child the repeated one; nil otherwise.
func listElement(c, child *parquet.Column) *parquet.Column {
	logical := c.Type().LogicalType()
	if logical == nil || !child.Repeated() || child.Leaf() || len(child.Columns()) != 1 || len(c.Columns()) != 1 {
		return nil
	}
	if _, list := logical.Value.(*format.ListType); !list {
		return nil
	}
	return child.Columns()[0]
}

var brackets = strings.NewReplacer("[*]", "", "[]", "")

// choose finds the numbers of the requested columns.
func choose(file *parquet.File, fields []string) ([]bool, error) {
	all := leaves(file.Root())
	var texts []string
	for _, l := range all {
		if holdsText(l.column) {
			texts = append(texts, l.short)
		}
	}
	if len(fields) == 0 {
		return nil, &text.FieldError{Missing: true, What: fmt.Sprintf("parquet needs a field, the path of a column of strings (the file has %d)", len(texts))}
	}
	chosen := make([]bool, len(all))
	for _, field := range fields {
		name, found := brackets.Replace(field), false
		for i, l := range all {
			if l.full != field && l.full != name && l.short != name {
				continue
			}
			if !holdsText(l.column) {
				return nil, &text.FieldError{What: fmt.Sprintf("column %q does not hold strings", field)}
			}
			chosen[i], found = true, true
		}
		if !found {
			return nil, text.NoColumn(field, "the file (columns of strings: %d)", texts)
		}
	}
	return chosen, nil
}

// holdsText reports whether a column holds strings, or bytes that old writers
// did not annotate.
func holdsText(c *parquet.Column) bool {
	if !c.Leaf() || c.Type().Kind() != parquet.ByteArray {
		return false
	}
	logical := c.Type().LogicalType()
	if logical == nil || logical.Value == nil {
		return true
	}
	_, is := logical.Value.(*format.StringType)
	return is
}
