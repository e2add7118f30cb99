package report

import (
	"slices"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/result"
)

// way is one way to release texts, as a line of a comparison.
type way struct {
	plan, name string
	fits       func(result.Group) bool
}

func anyGroup(result.Group) bool { return true }

func over(codebook string) func(result.Group) bool {
	return func(g result.Group) bool { return g.Params.Get("codebook") == codebook }
}

// ways lists them in the order in which they are drawn.
var ways = []way{
	{"whole-texts", "retrieval, similar public texts", over("own")},
	{"whole-texts", "retrieval, embedded English", over("english")},
	{"whole-texts-vectors", "privunit, one vector", anyGroup},
	{"whole-texts-words", "neighbours, word by word", anyGroup},
	{"whole-texts-latent", "adept", anyGroup},
}

// of returns the groups of a way on one set.
func (w way) of(rows Rows, set string) ([]result.Group, error) {
	all, err := groups(rows, w.plan)
	return slices.DeleteFunc(all, func(g result.Group) bool {
		return g.Params.Get("set") != set || !w.fits(g) || len(g.Values("accuracy")) == 0
	}), err
}

// comparedSets are those on which several ways are measured.
var comparedSets = []string{"ag-news", "trec6"}

// comparedTable has a line for each set and way, and a column for each epsilon of the
// whole text.
func comparedTable(rows Rows) (string, error) {
	b, err := besideOf(rows)
	if err != nil {
		return "", err
	}
	var found [][]result.Group
	var first [][2]string
	var all []result.Group
	for _, set := range comparedSets {
		for _, w := range ways {
			list, err := w.of(rows, set)
			if err != nil {
				return "", err
			}
			if len(list) > 0 {
				found, first, all = append(found, list), append(first, [2]string{name(set), w.name}), append(all, list...)
			}
		}
	}
	epsilons := columns(all)
	var lines [][]string
	for i, list := range found {
		if i == 0 || first[i][0] != first[i-1][0] {
			for at, cell := range b.ofSet(list[0].Params.Get("set")) {
				lines = append(lines, append([]string{first[i][0], besideHead[at], cell}, make([]string, len(epsilons))...))
			}
		}
		line := append(first[i][:], make([]string, 1+len(epsilons))...)
		for _, g := range list {
			e, cell := g.Params.Get("epsilon"), three(mean(g, "accuracy"))
			if w := g.Values("word_epsilon"); len(w) > 0 {
				cell += " (" + short(w[0]) + ")"
			}
			if e == "" {
				line[2] = cell
			} else {
				line[3+slices.Index(epsilons, e)] = cell
			}
		}
		lines = append(lines, line)
	}
	return markdown(append([]string{"private texts", "mechanism", "none"}, epsilons...), lines), nil
}

// wholeTextsFigure shows what each way teaches against the loss of a whole text.
func wholeTextsFigure(rows Rows) (string, error) {
	b, err := besideOf(rows)
	if err != nil {
		return "", err
	}
	sheet := chart.Sheet{Title: "What a classifier learns from private copies of texts", Columns: 2, Width: 560, Height: 360, Legend: true}
	titles := map[string]string{"ag-news": "News (AG News, four topics)", "trec6": "Questions (TREC-6, six kinds of answer)"}
	for _, set := range comparedSets {
		c := chart.Chart{Title: titles[set], X: "epsilon of the whole text (smaller is more private)", Y: "accuracy on texts as they are", LogX: true}
		limit := chart.Series{Name: "learnt without privacy", Style: chart.Limit}
		low, high := 0.0, 0.0
		for i, w := range ways {
			list, err := w.of(rows, set)
			if err != nil {
				return "", err
			}
			if len(columns(list)) == 0 {
				continue
			}
			line := curve(part{w.name, list}, "epsilon", "accuracy", i, "")
			c.Series = append(c.Series, line)
			if low == 0 {
				low = line.XY[0][0]
				limit.XY = [][2]float64{{low, ceiling(list)}}
			}
			high = max(high, line.XY[len(line.XY)-1][0])
		}
		if len(c.Series) == 0 {
			continue
		}
		limit.XY = append(limit.XY, [2]float64{high, limit.XY[0][1]})
		c.Series = append(append([]chart.Series{limit}, b.series(set, limit.XY)...), c.Series...)
		sheet.Charts = append(sheet.Charts, c)
	}
	sheet.Width = max(sheet.Width, legendWidth(sheet)/sheet.Columns)
	return sheet.SVG(), nil
}
