package risk

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/internal/page"
	"github.com/sotto-dp/sotto/privacy"
)

//go:embed attackpage.html
var attackPageText string

var attackPage = page.New("attack", attackPageText)

// wrongWords is how many of 100 rare words are restored wrong.
type wrongWords struct {
	Mechanism string
	Epsilon   float64
	Wrong     int
}

// page returns a self-contained HTML page of the figures.
func (r *attackedTexts) page() ([]byte, error) {
	var wrong []wrongWords
	for _, row := range r.Rows {
		if row.RecoveredRare != nil {
			wrong = append(wrong, wrongWords{row.Mechanism, row.Epsilon, int(math.Round(100 - 100**row.RecoveredRare))})
		}
	}
	unknown := ""
	if r.Unknown != nil && *r.Unknown > 0 {
		unknown = cli.Percent(*r.Unknown)
	}
	var out bytes.Buffer
	err := attackPage.Execute(&out, map[string]any{
		"R": r, "Texts": cli.Plural(r.Texts, "text"), "Unknown": unknown, "False": wrong, "Figures": r.figures(), "Tables": r.tables(),
	})
	return out.Bytes(), err
}

// curve is a figure of rows over epsilon.
type curve struct {
	name  string
	style chart.Style
	value func(attack.Row) *float64
}

var wordCurves = []curve{
	{"each output alone", chart.Hollow, func(r attack.Row) *float64 { return r.Recovered }},
	{"in context", chart.Marked, func(r attack.Row) *float64 { return r.RecoveredInContext }},
	{"rare words in context", chart.Marked, func(r attack.Row) *float64 { return r.RecoveredRare }},
	{"capitalised words in context", chart.Marked, func(r attack.Row) *float64 { return r.RecoveredCapitalised }},
}

var labelCurves = []curve{
	{"from the release", chart.Marked, func(r attack.Row) *float64 { return r.Attribute }},
	{"from the restored release", chart.Marked, func(r attack.Row) *float64 { return r.AttributeRestored }},
	{"from the original", chart.Hollow, func(r attack.Row) *float64 { return r.AttributeOriginal }},
	{"most frequent label", chart.Hollow, func(r attack.Row) *float64 { return r.AttributeBlind }},
}

// mechanisms returns the names of the mechanisms of the rows that match, in order.
func (r *attackedTexts) mechanisms(matches func(attack.Row) bool) (names []string) {
	for _, row := range r.Rows {
		if matches(row) && !slices.Contains(names, row.Mechanism) {
			names = append(names, row.Mechanism)
		}
	}
	return names
}

// candidates returns the numbers of candidates of the linkages of the rows that match, in
// order.
func (r *attackedTexts) candidates(matches func(attack.Row) bool) (numbers []int) {
	for _, row := range r.Rows {
		for _, l := range row.Linkages {
			if matches(row) && !slices.Contains(numbers, l.Among) {
				numbers = append(numbers, l.Among)
			}
		}
	}
	return numbers
}

// series returns the points of a mechanism's figure, nil if it has none.
func (r *attackedTexts) series(mechanism, name string, style chart.Style, colour int, value func(attack.Row) *float64) []chart.Series {
	s := chart.Series{Name: name, Style: style, Colour: colour}
	for _, row := range r.Rows {
		if v := value(row); v != nil && row.Mechanism == mechanism {
			s.XY = append(s.XY, [2]float64{row.Epsilon, *v})
		}
	}
	if s.XY == nil {
		return nil
	}
	return []chart.Series{s}
}

// figures returns the plots that the rows have values for.
func (r *attackedTexts) figures() (all []page.Figure) {
	names := r.mechanisms(func(attack.Row) bool { return true })
	add := func(title, about string, charts []chart.Chart) {
		if len(charts) > 0 {
			sheet := chart.Sheet{Charts: charts, Columns: min(2, len(charts)), Width: 430, Height: 280, Legend: true}
			if len(charts) == 1 {
				sheet.Width = 860 // room for the legend
			}
			all = append(all, page.Drawn(title, about, sheet))
		}
	}
	byMechanism := func(curves []curve, y string) (charts []chart.Chart) {
		for _, name := range names {
			c := chart.Chart{Title: name, X: r.axis(name), Y: y}
			for i, of := range curves {
				c.Series = append(c.Series, r.series(name, of.name, of.style, i, of.value)...)
			}
			if len(c.Series) > 0 {
				charts = append(charts, c)
			}
		}
		return charts
	}
	add("Words recovered", "Share of the words that the table knows and the best guess names: from each output alone, and from the whole release with a language model. Rare words are those beyond the "+strconv.Itoa(attack.CommonWords)+" commonest; capitalised ones have a capital inside a sentence.",
		byMechanism(wordCurves, "share of words"))
	var linked []chart.Chart
	for _, of := range []struct {
		title, x string
		is       func(attack.Row) bool
	}{
		{"texts and vectors of texts, words of texts", "epsilon of the unit", func(row attack.Row) bool { return row.Unit != privacy.Record && row.Notion != privacy.Metric }},
		{"per unit of distance", "epsilon per unit of distance", func(row attack.Row) bool { return row.Unit != privacy.Record && row.Notion == privacy.Metric }},
		{"membership of a record", "epsilon of a record", func(row attack.Row) bool { return row.Unit == privacy.Record }},
	} {
		for _, among := range r.candidates(of.is) {
			c := chart.Chart{Title: fmt.Sprintf("%s, among %d", of.title, among), X: of.x, Y: "share linked"}
			for _, name := range r.mechanisms(of.is) {
				c.Series = append(c.Series, r.series(name, name+", a "+r.unit(name), chart.Marked, slices.Index(names, name), func(row attack.Row) *float64 { return row.LinkedAmong(among) })...)
			}
			if line := chance(c.Series, among); line != nil {
				c.Series = append([]chart.Series{{Name: "chance, without the release", Style: chart.Limit, XY: line}}, c.Series...)
			}
			linked = append(linked, c)
		}
	}
	add("Texts linked", "Share of releases from which a reader names the right text among the candidates. For a record: probability to guess right whether it took part; without a release it is one half. Epsilons of different units cannot be compared: compare mechanisms at equal shares.", linked)
	add("Labels found", "Share of labels that a classifier of public texts finds.", byMechanism(labelCurves, "share of labels"))
	return all
}

// chance is the share that a guess without the release names, over the epsilons of a chart.
func chance(of []chart.Series, among int) [][2]float64 {
	var all []float64
	for _, s := range of {
		for _, at := range s.XY {
			all = append(all, at[0])
		}
	}
	if len(all) == 0 || among < 1 {
		return nil
	}
	from, to := slices.Min(all), slices.Max(all)
	if from == to { // a line needs two ends
		from, to = .9*from, 1.1*to
	}
	return [][2]float64{{from, 1 / float64(among)}, {to, 1 / float64(among)}}
}

// axis names the epsilon of a mechanism.
func (r *attackedTexts) axis(mechanism string) string {
	i := slices.IndexFunc(r.Rows, func(row attack.Row) bool { return row.Mechanism == mechanism })
	if r.Rows[i].Notion == privacy.Metric {
		return "epsilon per unit of distance"
	}
	return "epsilon of a " + r.unit(mechanism)
}

func (r *attackedTexts) unit(mechanism string) string {
	i := slices.IndexFunc(r.Rows, func(row attack.Row) bool { return row.Mechanism == mechanism })
	return string(r.Rows[i].Unit)
}
