package report

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// rendered returns the page of some parts.
func rendered(t *testing.T, size plan.Size, parts []Part) string {
	t.Helper()
	page, err := render(size, "this", parts)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestPageOfCommittedRowsBeginsWithTenFindingsAndOneFigure(t *testing.T) {
	parts, err := Committed("../results/full", plan.Full)
	if err != nil {
		t.Fatal(err)
	}
	page := rendered(t, plan.Full, parts)
	_, after, found := strings.Cut(page, `<section class="summary"`)
	summary, _, ended := strings.Cut(after, "</section>")
	if !found || !ended {
		t.Fatal("the page has no summary")
	}
	if n := strings.Count(summary, "<li>"); n != 10 {
		t.Errorf("the summary has %d findings, want 10", n)
	}
	for _, u := range units {
		if !strings.Contains(summary, "<span>"+u.name+"</span>") {
			t.Errorf("the figure lacks %q", u.name)
		}
	}
	for _, must := range []string{"0.849 at epsilon 1", "0.865 at 4", "0.987", "certified at 1.46"} {
		if !strings.Contains(summary, must) {
			t.Errorf("the summary lacks %q", must)
		}
	}
	for _, p := range plan.All() {
		if strings.Count(page, fmt.Sprintf(`href="#%s"`, p.Name)) != 2 || !strings.Contains(page, fmt.Sprintf(`<section id="%s"`, p.Name)) {
			t.Errorf("%s is not in the contents, or has no section", p.Name)
		}
	}
	if opened, closed := strings.Count(page, "<details"), strings.Count(page, "</details>"); opened != closed {
		t.Errorf("%d details are opened, %d closed", opened, closed)
	}
}

// The page is one file: nothing in it is loaded from elsewhere.
func TestPageLoadsNothing(t *testing.T) {
	page := strings.ReplaceAll(rendered(t, plan.Full, []Part{{drawn, rows, 0}}), `xmlns="http://www.w3.org/2000/svg"`, "")
	if found := regexp.MustCompile(`(?i)https?://|<script|<link|<img|<iframe|@import|url\(`).FindString(page); found != "" {
		t.Errorf("the page has %q", found)
	}
	for _, must := range []string{"prefers-color-scheme: dark", "position: sticky", `<meta name="viewport"`} {
		if !strings.Contains(page, must) {
			t.Errorf("the page lacks %q", must)
		}
	}
}

func TestFindingsAreShownWithRowsOfTheirSizeAlone(t *testing.T) {
	full, quick := drawn, drawn
	full.Findings, quick.Findings = "Three seeds: 0.7.", "Quick size: 0.6."
	full.Paper = []plan.Quote{{Cell: "theirs", Figure: "0.5"}}
	for size, want := range map[plan.Size][]bool{plan.Full: {true, true, true}, plan.Quick: {false, true, true}, plan.Smoke: {false, false, false}} {
		page := rendered(t, size, []Part{{full, rows, 0}, {quick, rows, 0}})
		for i, text := range []string{full.Findings, quick.Findings, "<td>theirs</td>"} {
			if got := strings.Contains(page, text); got != want[i] {
				t.Errorf("size %s: %q is shown: %v, want %v", size, text, got, want[i])
			}
		}
		if got := strings.Contains(page, "They are not results."); got != (size == plan.Smoke) {
			t.Errorf("size %s: the page says that its figures are no results: %v", size, got)
		}
		if strings.Contains(page, `class="summary"`) {
			t.Errorf("size %s: a summary is made from rows that it does not name", size)
		}
	}
}

// A point is a ring if one of its rows is of other code, and the page says how many rows are.
func TestRowsOfOtherCodeAreMarked(t *testing.T) {
	var made []result.Row
	for _, epsilon := range []float64{1, 2, 3} {
		for seed := range uint64(2) {
			r := row("tem", epsilon, seed, map[string]float64{"accuracy": 0.1 * epsilon, "limit": 0.5})
			if r.Code = "this"; epsilon == 1 || epsilon == 3 && seed == 1 {
				r.Code = "other"
			}
			made = append(made, r)
		}
	}
	series := sheets(drawn, result.Grouped(made), "this")[0].Charts[0].Series
	if !slices.Equal(series[0].Rings, []bool{true, false, true}) || series[1].Rings != nil {
		t.Errorf("the rings are %v, those of the limit %v", series[0].Rings, series[1].Rings)
	}
	const marked = "A ring in a plot marks"
	if page := rendered(t, plan.Full, []Part{{drawn, made, 0}}); !strings.Contains(page, marked) || !strings.Contains(page, "6 rows (3 of earlier code)") {
		t.Error("the page does not say which rows are of other code")
	}
	if page := rendered(t, plan.Full, []Part{{drawn, made[2:4], 0}}); strings.Contains(page, marked) || !strings.Contains(page, "2 rows, 0 missing") {
		t.Error("the page marks rows of this code")
	}
}

func TestManySeriesAreSmallMultiples(t *testing.T) {
	var many []result.Row
	for i := range mostSeries + 1 {
		for _, epsilon := range []float64{1, 2} {
			many = append(many, row(fmt.Sprintf("m%d", i), epsilon, 1, map[string]float64{"accuracy": 0.1 * epsilon, "limit": 0.5}))
		}
	}
	s := sheets(drawn, result.Grouped(many), "")
	if len(s) != 1 || len(s[0].Charts) != mostSeries+1 || s[0].Legend {
		t.Fatalf("%d sheets, %+v", len(s), s)
	}
	for i, c := range s[0].Charts {
		var marked, context, limits int
		for _, series := range c.Series {
			switch series.Style {
			case chart.Context:
				context++
			case chart.Limit:
				limits++
			default:
				marked++
			}
		}
		last := c.Series[len(c.Series)-1]
		if marked != 1 || context != mostSeries || limits != 1 || last.Name != fmt.Sprintf("m%d", i) || c.Title != last.Name {
			t.Errorf("frame %d: %d series, %d in grey, %d limits, %q on top, title %q", i, marked, context, limits, last.Name, c.Title)
		}
	}
	if p := plotOf(s[0]); !p.Small || len(p.Frames) != mostSeries+1 || len(p.Legend) != 0 {
		t.Errorf("%d frames, %d lines in the legend", len(p.Frames), len(p.Legend))
	}
}

func TestCommittedRowsAreComparedWithTheTrials(t *testing.T) {
	p, err := plan.Find("whole-texts-words")
	if err != nil {
		t.Fatal(err)
	}
	trials := p.Grid(plan.Full)
	made := result.Row{Plan: p.Name, Params: trials[0].Params, Seed: trials[0].Seed}
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, p.Name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := result.WriteCSV(file, []result.Row{made}); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	parts, err := Committed(dir, plan.Full)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if part.Plan.Name == p.Name && (len(part.Rows) != 1 || part.Missing != len(trials)-1) {
			t.Errorf("%d rows, %d missing of %d", len(part.Rows), part.Missing, len(trials))
		}
	}
}
