package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

// grid is a table as it is shown.
type grid struct {
	Title string
	Head  []string
	Rows  [][]string
}

// grids makes the tables of a plan.
func grids(p plan.Plan, groups []result.Group) []grid {
	var out []grid
	for _, t := range p.Tables {
		for _, panel := range panels(groups, t.Panel) {
			title := t.Title
			if panel.name != "" {
				title += ": " + panel.name
			}
			switch {
			case len(t.Texts) > 0:
				out = append(out, texts(title, t, panel.groups))
			case t.Across == "":
				out = append(out, flat(title, t, panel.groups))
			default:
				for _, v := range t.Values {
					out = append(out, across(title+", "+v, t, v, panel.groups))
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(g grid) bool { return len(g.Rows) == 0 })
}

// flat has one row per group.
func flat(title string, t plan.Table, groups []result.Group) grid {
	g := grid{Title: title, Head: append(slices.Clone(t.Rows), t.Values...)}
	for _, group := range groups {
		row := names(group, t.Rows)
		found := false
		for _, v := range t.Values {
			cell := cell(group.Values(v))
			found = found || cell != ""
			row = append(row, cell)
		}
		if found {
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// across has one row for each value of the parameters of Rows and one column for
// each of Across.
func across(title string, t plan.Table, value string, groups []result.Group) grid {
	g := grid{Title: title, Head: slices.Clone(t.Rows)}
	columns := panels(groups, t.Across)
	slices.SortStableFunc(columns, func(a, b part) int {
		x, errX := strconv.ParseFloat(a.name, 64)
		y, errY := strconv.ParseFloat(b.name, 64)
		if errX != nil || errY != nil || x == y {
			return 0
		}
		if x < y {
			return -1
		}
		return 1
	})
	for _, c := range columns {
		head := t.Across + " " + c.name
		if c.name == "" {
			head = "-"
		}
		g.Head = append(g.Head, head)
	}
	at := map[string]int{}
	for _, group := range groups {
		row := names(group, t.Rows)
		key := fmt.Sprint(row)
		k, ok := at[key]
		if !ok {
			k = len(g.Rows)
			at[key] = k
			g.Rows = append(g.Rows, append(row, make([]string, len(columns))...))
		}
		c := slices.IndexFunc(columns, func(c part) bool { return c.name == group.Params.Get(t.Across) })
		g.Rows[k][len(t.Rows)+c] = cell(group.Values(value))
	}
	return g
}

// texts shows the texts of the first row of each group.
func texts(title string, t plan.Table, groups []result.Group) grid {
	g := grid{Title: title, Head: append(slices.Clone(t.Rows), t.Texts...)}
	for _, group := range groups {
		row := names(group, t.Rows)
		for _, name := range t.Texts {
			row = append(row, group.Rows[0].Texts[name])
		}
		if group.Rows[0].LeftOut == "" {
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

func names(g result.Group, params []string) []string {
	var row []string
	for _, name := range params {
		row = append(row, g.Params.Get(name))
	}
	return row
}

// cell returns a mean with half the width of its 95 % interval, where there is more
// than one run.
func cell(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	mean, half := metric.Interval95(values)
	s := figure(mean)
	if !math.IsNaN(half) && half > 0 {
		s += " ± " + strconv.FormatFloat(half, 'g', 2, 64)
	}
	return s
}

func figure(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-3 || a >= 1e5) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	} else if a >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

// quoted is a paper's figure beside ours.
type quoted struct {
	plan.Quote
	Found string
}

// ours returns the figure of the groups that a quote asks for: its range where they
// are several.
func ours(q plan.Quote, groups []result.Group) string {
	if q.Value == "" {
		return ""
	}
	var found []string
	low, high := math.Inf(1), math.Inf(-1)
	for _, g := range groups {
		if values := g.Values(q.Value); fits(g, q.Where) && len(values) > 0 {
			mean, _ := metric.Interval95(values)
			low, high = min(low, mean), max(high, mean)
			found = append(found, cell(values))
		}
	}
	if len(found) > 1 {
		return figure(low) + " to " + figure(high)
	}
	return strings.Join(found, "")
}

// promises returns the known privacy of each setting of a plan, on which all
// its rows agree.
func promises(rows []result.Row) grid {
	g := grid{Title: "What each setting promises", Head: []string{"mechanism", "table", "claim in force", "published claim", "standing", "certified metric", "certified pure", "refutation"}}
	seen := map[string]bool{}
	for _, r := range rows {
		e := r.Evidence
		if e.Claim == nil {
			continue
		}
		row := []string{r.Params.Get("mechanism"), r.Params.Get("table"), claimed(*e.Claim), "", "", "", "", e.Refutation}
		if e.Published != nil {
			row[3] = e.Published.String()
		}
		if e.Standing != nil {
			row[4] = e.Standing.String()
		}
		if c := e.Certificate; c != nil {
			if c.MetricEpsilon.Known() {
				row[5] = figure(c.MetricEpsilon.High)
			}
			if c.PureEpsilon.Known() {
				row[6] = figure(c.PureEpsilon.High)
			}
		}
		if key := fmt.Sprint(row); !seen[key] {
			seen[key] = true
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// claimed describes a claim. One that was read from CSV has no unit.
func claimed(c privacy.Claim) string {
	if c.Unit != "" {
		return c.String()
	}
	s := fmt.Sprintf("%s: epsilon %.6g", c.Notion, c.Epsilon)
	if c.Delta > 0 {
		s += fmt.Sprintf(", delta %.6g", c.Delta)
	}
	return s
}

// leftOut lists settings that were refused, with the reason, once each.
func leftOut(rows []result.Row) []string {
	var list []string
	for _, r := range rows {
		if r.LeftOut == "" {
			continue
		}
		if line := r.Params.Get("mechanism") + " at epsilon " + r.Params.Get("epsilon") + ": " + r.LeftOut; !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}
