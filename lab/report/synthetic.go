package report

import (
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// shuffledTable compares synthetic corpora with shuffled releases at the same central
// epsilon.
func shuffledTable(rows Rows) (string, error) {
	all, err := groups(rows, "synthetic-corpora-shuffled")
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	epsilons := columns(all)
	var lines [][]string
	for _, pair := range pairs(all) {
		for _, way := range panels(pair.groups, "mechanism") {
			cells := make([]string, len(epsilons))
			for _, g := range way.groups {
				cells[slices.Index(epsilons, g.Params.Get("epsilon"))] = three(mean(g, "accuracy")) + " (" + short(mean(g, "local_epsilon")) + ")"
			}
			lines = append(lines, slices.Concat([]string{pair.name}, b.cells(pair), []string{"`" + strings.Fields(way.name)[0] + "`"}, cells))
		}
	}
	return markdown(slices.Concat([]string{"private texts, corpus"}, besideHead, []string{"released by"}, epsilons), lines), err
}

// syntheticTable has a line for each pair and epsilon.
func syntheticTable(rows Rows) (string, error) {
	all, err := groups(rows, "synthetic-corpora")
	var lines [][]string
	for _, g := range all {
		if g.Params.Get("epsilon") == "" {
			continue
		}
		lines = append(lines, []string{
			pair(g), g.Params.Get("epsilon"), thousands(mean(g, "clusters")), thousands(mean(g, "records_noisy")), three(mean(g, "far_low")) + " to " + three(mean(g, "far_high")),
			three(mean(g, "macro_f1")), three(mean(g, "seen")), short(mean(g, "distance")) + " (" + short(mean(g, "public_distance")) + ")",
		})
	}
	return markdown([]string{"private texts, corpus", "epsilon", "clusters", "records", "far", "macro-F1", "distinct", "distance (of the corpus)"}, lines), err
}

func syntheticRows(rows Rows) (string, error) {
	all, err := rows("synthetic-corpora-examples")
	var lines [][]string
	for _, r := range all {
		lines = append(lines, []string{r.Texts["label"], r.Texts["row"]})
	}
	return markdown([]string{"label", "text"}, lines), err
}

// syntheticFigure has a chart for each set of private texts, with a line for each corpus.
func syntheticFigure(rows Rows) (string, error) {
	all, err := groups(rows, "synthetic-corpora")
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	if err != nil {
		return "", err
	}
	sheet := chart.Sheet{Title: "What a classifier learns from a private copy of a whole corpus", Columns: 3, Width: 380, Height: 280, Legend: true}
	lines := map[string]string{"own": "public texts of the same kind", "english": "embedded English texts", "imdb-sentences": "sentences of film reviews"}
	order := []string{"own", "english", "imdb-sentences"}
	for _, set := range panels(all, "set") {
		c := chart.Chart{Title: name(set.name), X: "epsilon of a record (smaller is more private)", Y: "accuracy", LogX: true}
		limit := chart.Series{Name: "learnt without privacy", Style: chart.Limit}
		for _, codebook := range panels(set.groups, "codebook") {
			line := curve(part{lines[codebook.name], codebook.groups}, "epsilon", "accuracy", slices.Index(order, codebook.name), "")
			if len(line.XY) == 0 {
				continue
			}
			c.Series = append(c.Series, line)
			if limit.XY == nil {
				clear := ceiling(codebook.groups)
				limit.XY = [][2]float64{{line.XY[0][0], clear}, {line.XY[len(line.XY)-1][0], clear}}
			}
		}
		if len(c.Series) > 0 {
			c.Series = append(append([]chart.Series{limit}, b.series(set.name, limit.XY)...), c.Series...)
			sheet.Charts = append(sheet.Charts, c)
		}
	}
	sheet.Columns = max(1, min(sheet.Columns, len(sheet.Charts)))
	sheet.Width = max(sheet.Width, legendWidth(sheet)/sheet.Columns)
	return sheet.SVG(), nil
}

// ceiling is the accuracy learnt from the private texts themselves.
func ceiling(groups []result.Group) float64 {
	for _, g := range groups {
		if v, ok := plan.Coordinate(g.Rows[0], "clear"); ok {
			return v
		}
	}
	return 0
}
