package report

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// generated are the parts of a document that Document makes: a table between two
// comments, and the name of a figure's file.
var generated = regexp.MustCompile(`(?s)(<!-- table: ([a-z-]+) -->\n).*?(<!-- end -->)`)

// figureMark is before the link to a figure.
var figureMark = regexp.MustCompile(`<!-- figure: ([a-z-]+) -->\n!\[[^\]]*\]\(([a-z-]+\.svg)\)`)

// Rows finds the rows of a plan.
type Rows func(plan string) ([]result.Row, error)

// RowsOf reads the rows of a plan from PLAN.csv of a folder; none where there is no file.
func RowsOf(folder string) Rows {
	return func(plan string) ([]result.Row, error) {
		file, err := os.Open(filepath.Join(folder, plan+".csv"))
		if os.IsNotExist(err) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		defer file.Close()
		return result.ReadCSV(file)
	}
}

// Document returns a Markdown document with its generated tables made from rows, and
// the figures that it links, by file name. A table is between the lines
// "<!-- table: NAME -->" and "<!-- end -->", a figure is linked in the line after
// "<!-- figure: NAME -->". Everything else stays as it is.
func Document(text string, rows Rows) (string, map[string]string, error) {
	var failed error
	text = generated.ReplaceAllStringFunc(text, func(part string) string {
		m := generated.FindStringSubmatch(part)
		draw, ok := tables[m[2]]
		if p, of := papers[m[2]]; of {
			draw, ok = p.table, true
		}
		if !ok {
			failed = fmt.Errorf("report: no table is called %q", m[2])
			return part
		}
		var read []string
		table, err := draw(func(name string) ([]result.Row, error) {
			read = append(read, name)
			return rows(name)
		})
		if err != nil {
			failed = err
		}
		return m[1] + table + earlier(read) + m[3]
	})
	drawn := map[string]string{}
	for _, m := range figureMark.FindAllStringSubmatch(text, -1) {
		draw, ok := figures[m[1]]
		if !ok {
			return "", nil, fmt.Errorf("report: no figure is called %q", m[1])
		}
		svg, err := draw(rows)
		if err != nil {
			return "", nil, err
		}
		drawn[m[2]] = svg
	}
	return text, drawn, failed
}

// earlier says which of the plans that a table was made from have rows of earlier code.
func earlier(plans []string) string {
	reasons := map[string][]string{}
	for _, p := range plan.All() {
		if p.Earlier != "" && slices.Contains(plans, p.Name) {
			reasons[p.Earlier] = append(reasons[p.Earlier], "`"+p.Name+"`")
		}
	}
	var b strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&b, "\nOf earlier code (%s): %s.\n", strings.Join(reasons[reason], ", "), reason)
	}
	return b.String()
}

// markdown returns a table. Cells keep to one line and to their column.
func markdown(head []string, lines [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + strings.ReplaceAll(strings.ReplaceAll(c, "\n", " "), "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("| --- ", len(head)) + "|\n")
	for _, cells := range lines {
		line(cells)
	}
	return b.String()
}
