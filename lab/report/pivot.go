package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/lab/result"
)

// pivot is a table of means over seeds: a cell for each line and column.
type pivot struct {
	plan    string
	heads   []string // of the cells that name a line
	where   string   // of all cells, as in plan.Quote.Where
	value   string   // of the columns that name none
	lines   []label
	columns []label
	beside  besideAt // where what is known without the mechanism stands
	set     string   // of the cells whose labels name none
}

// besideAt is the place of words alone and of the strongest none in a table of utility.
type besideAt int

const (
	nowhere       besideAt = iota
	aboveLines             // a line each; columns are sets, or all cells are of one
	beforeFigures          // a column each; lines are sets
)

// label names a line or a column of a pivot and tells which groups its cells show.
type label struct {
	name  string // of a line: its cells, separated by "|"
	where string
	value string // of the rows; for a line "" is that of the column
	// collect makes one figure of the means of several groups; without it there is one
	// group at most.
	collect func([]float64) float64
	show    func(float64) string // three where it is nil
}

// table returns the Markdown table. It fails if a cell is of several groups and nothing
// collects them.
func (p pivot) table(rows Rows) (string, error) {
	all, err := groups(rows, p.plan)
	if err != nil {
		return "", err
	}
	known := beside{}
	if p.beside != nowhere {
		if known, err = besideOf(rows); err != nil {
			return "", err
		}
	}
	head := slices.Clone(p.heads)
	var lines [][]string
	switch p.beside {
	case aboveLines:
		lines = p.besideLines(known)
	case beforeFigures:
		head = append(head, besideHead...)
	}
	for _, c := range p.columns {
		head = append(head, c.name)
	}
	for _, l := range p.lines {
		line := strings.Split(l.name, "|")
		if p.beside == beforeFigures {
			line = append(line, known.ofSet(p.setOf(l))...)
		}
		for _, c := range p.columns {
			cell, err := p.cell(all, l, c)
			if err != nil {
				return "", fmt.Errorf("report: %s, line %s, column %s: %w", p.plan, l.name, c.name, err)
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return markdown(head, lines), nil
}

// besideLines has a line for each of besideHead, with figures of the columns that show p.value.
func (p pivot) besideLines(known beside) [][]string {
	var lines [][]string
	for at, title := range besideHead {
		line := make([]string, len(p.heads))
		line[0] = title
		for _, c := range p.columns {
			cell := ""
			if c.value == "" {
				cell = known.ofSet(p.setOf(c))[at]
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	return lines
}

// setOf returns the data set that a label names, or that of the whole table.
func (p pivot) setOf(l label) string {
	for part := range strings.SplitSeq(l.where, ", ") {
		if set, ok := strings.CutPrefix(part, "set="); ok {
			return set
		}
	}
	return p.set
}

func (p pivot) cell(all []result.Group, line, column label) (string, error) {
	value, collect, show := p.value, column.collect, column.show
	for _, named := range []string{column.value, line.value} {
		if named != "" {
			value = named
		}
	}
	if line.collect != nil {
		collect = line.collect
	}
	if line.show != nil {
		show = line.show
	}
	if show == nil {
		show = three
	}
	var found []float64
	for _, g := range all {
		if fits(g, p.where) && fits(g, line.where) && fits(g, column.where) && len(g.Values(value)) > 0 {
			found = append(found, mean(g, value))
		}
	}
	switch {
	case len(found) == 0:
		return "", nil
	case collect != nil:
		return show(collect(found)), nil
	case len(found) > 1:
		return "", fmt.Errorf("%d settings", len(found))
	}
	return show(found[0]), nil
}

// fits tells whether a group has the parameters of where, as "set=imdb, epsilon=2".
func fits(g result.Group, where string) bool {
	if where == "" {
		return true
	}
	for part := range strings.SplitSeq(where, ", ") {
		name, value, _ := strings.Cut(part, "=")
		if g.Params.Get(name) != value {
			return false
		}
	}
	return true
}

// each returns a label for each value of a parameter, named by the value.
func each(parameter string, values ...string) []label {
	var list []label
	for _, v := range values {
		list = append(list, label{name: v, where: parameter + "=" + v})
	}
	return list
}

// small shows shares that may be far below 0.001.
func small(v float64) string {
	if v < 0.1 {
		return strconv.FormatFloat(v, 'f', 4, 64)
	}
	return three(v)
}

// percent shows a share with two digits, and as a whole percentage from 10 % on.
func percent(v float64) string {
	v *= 100
	digits := 0
	if v > 0 && v < 9.95 {
		digits = max(0, 1-int(math.Floor(math.Log10(v))))
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " %"
}
