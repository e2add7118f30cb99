// Package report turns rows into a self-contained page, CSV and, if asked for, plots as PNG.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = template.Must(template.New("page").Parse(pageText))

// Part is one plan with its rows.
type Part struct {
	Plan    plan.Plan
	Rows    []result.Row
	Missing int // trials without a row yet
}

// section is a part as the page shows it.
type section struct {
	Plan     plan.Plan
	Findings string // "" if the plan's are about another size
	Plots    []plot
	Quotes   []quoted
	Grids    []grid
	Promises grid
	LeftOut  []string
	Rows     int
	Earlier  int // rows of other code
	Missing  int
	Seeds    int
	Minutes  string
	Commits  []string
	Codes    []string // digests of the code that made the rows
}

// Write writes into a folder: index.html, PLAN.csv for each part with rows, and with
// pictures PLAN-N.png for each plot. All rows are of one size. Rows of other code than this
// are marked.
func Write(folder string, size plan.Size, code string, parts []Part, pictures bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files := map[string][]byte{}
	for _, p := range parts {
		if len(p.Rows) == 0 {
			continue
		}
		for i, sheet := range sheets(p.Plan, result.Grouped(p.Rows), code) {
			if !pictures {
				break
			}
			data, err := sheet.PNG()
			if err != nil {
				return fmt.Errorf("report: %w", err)
			}
			files[fmt.Sprintf("%s-%d.png", p.Plan.Name, i+1)] = data
		}
		var table bytes.Buffer
		if err := result.WriteCSV(&table, p.Rows); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		files[p.Plan.Name+".csv"] = table.Bytes()
	}
	html, err := render(size, code, parts)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files["index.html"] = html
	for name, data := range files {
		if err := atomicfile.WriteFile(filepath.Join(folder, name), data); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// render returns the page.
func render(size plan.Size, code string, parts []Part) ([]byte, error) {
	var sections []section
	var empty []string
	earlier := 0
	for _, p := range parts {
		if len(p.Rows) == 0 {
			empty = append(empty, p.Plan.Name)
			continue
		}
		s := describe(size, code, p)
		sections, earlier = append(sections, s), earlier+s.Earlier
	}
	var html bytes.Buffer
	err := page.Execute(&html, struct {
		Size     plan.Size
		Style    template.CSS
		Summary  summary
		Sections []section
		Empty    []string // plans without a row of this size
		Earlier  int
	}{size, template.CSS(pageStyle), summarise(size, code, parts), sections, empty, earlier}) //nolint:gosec // embedded
	return html.Bytes(), err
}

func describe(size plan.Size, code string, p Part) section {
	groups := result.Grouped(p.Rows)
	s := section{Plan: p.Plan, Findings: findingsAt(size, p.Plan.Findings), Grids: grids(p.Plan, groups), Promises: promises(p.Rows), LeftOut: leftOut(p.Rows), Rows: len(p.Rows), Earlier: others(p.Rows, code), Missing: p.Missing}
	for _, sheet := range sheets(p.Plan, groups, code) {
		s.Plots = append(s.Plots, plotOf(sheet))
	}
	for _, q := range p.Plan.Paper {
		if size != plan.Smoke { // its figures are of generated data
			s.Quotes = append(s.Quotes, quoted{q, ours(q, groups)})
		}
	}
	seconds := 0.0
	for _, r := range p.Rows {
		seconds += r.Seconds
		if r.Commit != "" && !slices.Contains(s.Commits, r.Commit) {
			s.Commits = append(s.Commits, r.Commit)
		}
		if r.Code != "" && !slices.Contains(s.Codes, r.Code) {
			s.Codes = append(s.Codes, r.Code)
		}
	}
	for _, g := range groups {
		s.Seeds = max(s.Seeds, len(g.Rows))
	}
	s.Minutes = fmt.Sprintf("%.1f", seconds/60)
	return s
}

// findingsAt returns a plan's findings if they are about rows of this size. Findings about
// the quick size begin with it; the others are about the full size.
func findingsAt(size plan.Size, findings string) string {
	if size == plan.Full || size == plan.Quick && strings.HasPrefix(findings, "Quick size") {
		return findings
	}
	return ""
}
