package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// mostSeries is how many series share a frame. More are drawn as small multiples.
const mostSeries = 6

// sheets draws each chart of a plan: one frame for each value of its panel. A point is the
// mean over seeds. A panel with many series is a sheet of its own, with a small frame for
// each series and the others in grey behind it. A point is a ring if other code than code
// made one of its rows.
func sheets(p plan.Plan, groups []result.Group, code string) []chart.Sheet {
	var out []chart.Sheet
	colours := colours(p, groups)
	for _, c := range p.Charts {
		together := chart.Sheet{Title: c.Title, Columns: 2, Height: 320, Legend: true}
		for _, panel := range panels(groups, c.Panel) {
			frame := frame(c, panel, colours, code)
			switch {
			case len(frame.Series) == 0:
			case len(frame.Series) > mostSeries:
				out = append(out, multiples(c, frame))
			default:
				together.Charts = append(together.Charts, frame)
			}
		}
		if len(together.Charts) == 0 {
			continue
		}
		together.Columns = min(together.Columns, len(together.Charts))
		together.Width = max(bySheet[together.Columns-1], legendWidth(together)/together.Columns)
		out = append(out, together)
	}
	return out
}

// frame draws one panel of a chart.
func frame(c plan.Chart, panel part, colours map[string]int, code string) chart.Chart {
	ch := chart.Chart{Title: panel.name, X: c.X, Y: c.Y, LogX: c.LogX}
	for _, s := range panels(panel.groups, c.Series) {
		if line := curve(s, c.X, c.Y, colours[s.name], code); len(line.XY) > 0 {
			ch.Series = append(ch.Series, line)
		}
	}
	limit := curve(part{cmp.Or(c.LimitName, "limit"), panel.groups}, c.X, c.Limit, 0, "")
	if c.Limit != "" && len(limit.XY) > 0 {
		limit.Style, limit.XY = chart.Limit, slices.CompactFunc(limit.XY, func(a, b [2]float64) bool { return a[0] == b[0] })
		ch.Series = append(ch.Series, limit)
	}
	return ch
}

// The small frames of a sheet of multiples.
const smallWidth, smallHeight, smallColumns = 260, 200, 4

// multiples draws each series of a frame in a frame of its own, over the same axes.
func multiples(c plan.Chart, together chart.Chart) chart.Sheet {
	sheet := chart.Sheet{Title: c.Title, Columns: smallColumns, Width: smallWidth, Height: smallHeight}
	if together.Title != "" {
		sheet.Title += ": " + together.Title
	}
	for i, s := range together.Series {
		if s.Style == chart.Limit {
			continue
		}
		small := chart.Chart{Title: s.Name, X: c.X, Y: c.Y, LogX: c.LogX}
		for k, other := range together.Series {
			if k != i && other.Style != chart.Limit {
				other.Style = chart.Context
			}
			if k != i {
				small.Series = append(small.Series, other)
			}
		}
		small.Series = append(small.Series, s)
		sheet.Charts = append(sheet.Charts, small)
	}
	return sheet
}

// bySheet is the least width of a chart in sheets of one and of two columns.
var bySheet = [2]int{760, 480}

// legendWidth returns the width of a sheet's one-line legend, in pixels.
func legendWidth(s chart.Sheet) int {
	width := 0.0
	for _, series := range named(s.Charts) {
		width += 50 + 6.5*float64(len(series.Name))
	}
	return int(width) + 20
}

// named returns the series of some charts, each name once.
func named(charts []chart.Chart) (once []chart.Series) {
	for _, c := range charts {
		for _, s := range c.Series {
			if s.Name != "" && !slices.ContainsFunc(once, func(o chart.Series) bool { return o.Name == s.Name }) {
				once = append(once, s)
			}
		}
	}
	return once
}

// colours gives each series of a plan one colour throughout.
func colours(p plan.Plan, groups []result.Group) map[string]int {
	at := map[string]int{}
	for _, c := range p.Charts {
		for _, s := range panels(groups, c.Series) {
			if _, ok := at[s.name]; !ok {
				at[s.name] = len(at)
			}
		}
	}
	return at
}

// part is the groups that share a value of one parameter.
type part struct {
	name   string
	groups []result.Group
}

// panels splits groups by a parameter, or by several ("table, beta"), in order
// of appearance. There is one part if the parameter is "".
func panels(groups []result.Group, param string) []part {
	if param == "" {
		return []part{{"", groups}}
	}
	var parts []part
	for _, g := range groups {
		var values []string
		for name := range strings.SplitSeq(param, ", ") {
			if v := g.Params.Get(name); v != "" {
				values = append(values, v)
			}
		}
		name := strings.Join(values, ", ")
		k := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if k < 0 {
			k = len(parts)
			parts = append(parts, part{name: name})
		}
		parts[k].groups = append(parts[k].groups, g)
	}
	return parts
}

// curve returns the points of one series, sorted by x. Rows without an x, such as those
// without privacy, are only in the tables. Points of other code than code are rings; "" marks
// none.
func curve(s part, x, y string, colour int, code string) chart.Series {
	line := chart.Series{Name: s.name, Style: chart.Marked, Colour: colour}
	if colour >= len(chart.Colours) {
		line.Style = chart.Hollow
	}
	type point struct {
		xy   [2]float64
		ring bool
	}
	var points []point
	for _, g := range s.groups {
		at, ok := plan.Coordinate(g.Rows[0], x)
		values := g.Values(y)
		if !ok || math.IsInf(at, 0) || len(values) == 0 {
			continue
		}
		mean, _ := metric.Interval95(values)
		points = append(points, point{[2]float64{at, mean}, others(g.Rows, code) > 0})
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.xy[0], b.xy[0]) })
	for _, p := range points {
		line.XY = append(line.XY, p.xy)
		if code != "" {
			line.Rings = append(line.Rings, p.ring)
		}
	}
	return line
}

// others returns the number of rows that other code made.
func others(rows []result.Row, code string) (n int) {
	for _, r := range rows {
		if r.Code != code {
			n++
		}
	}
	return n
}
