// Package page writes pages of figures. A page is one HTML file that needs no network and no
// script, and is made for light and dark screens and for phones.
package page

import (
	_ "embed"
	"html/template"
	"slices"
)

//go:embed layout.html
var layout string

// Figure is one drawing under its title.
type Figure struct {
	Title, About string
	SVG          template.HTML
}

// Drawn returns the figure of a chart, which escapes its text.
func Drawn(title, about string, drawing interface{ SVG() string }) Figure {
	return Figure{title, about, template.HTML(drawing.SVG())}
}

// Table is a table under its title.
type Table struct {
	Title string
	Head  []string // nil for none
	Rows  [][]Cell
	Read  bool // of text to read, not of numbers to compare
}

// Cell is a figure, with its interval below it if it has one.
type Cell struct{ Text, Interval string }

// None is shown for a figure that a row does not have.
const None = "–"

// Filled returns the table without the columns that no row has a figure for.
func (t Table) Filled() Table {
	some := Table{Title: t.Title, Rows: make([][]Cell, len(t.Rows)), Read: t.Read}
	for i, head := range t.Head {
		if !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[i].Text != None }) {
			continue
		}
		some.Head = append(some.Head, head)
		for j, row := range t.Rows {
			some.Rows[j] = append(some.Rows[j], row[i])
		}
	}
	return some
}

// New returns the template of a page. The content defines the templates title and body, and
// may use figure and table for values of these types.
func New(name, content string) *template.Template {
	return template.Must(template.Must(template.New(name).Parse(layout)).Parse(content))
}
