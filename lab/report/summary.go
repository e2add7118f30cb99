package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// summary is the beginning of the page: findings with figures from the rows, and the plot
// that compares the units of protection.
type summary struct {
	Findings []string
	Plot     *plot
}

// finding is one sentence. Its verbs are the means of the figures, in order.
type finding struct {
	text    string
	figures []figureAt
}

// figureAt names a figure of one group: the value of the rows of a plan with the parameters
// of where, as "set=ag-news, epsilon=4".
type figureAt struct{ plan, value, where string }

// findings are shown if all their figures are in the rows. The order is that of the units:
// a corpus, a text, a word, and then published claims.
var findings = []finding{
	{"Release a corpus: at epsilon 1 for a whole record, a synthetic corpus and words for labels teach a classifier %.3f of questions, %.3f of short reviews and %.3f of news. The words and public texts alone teach %.3f, %.3f and %.3f, the private texts %.3f, %.3f and %.3f: of news a copy adds little. The holder of the corpus is trusted.", []figureAt{
		{"public-knowledge", "accuracy", "set=trec6, about=words, begins=words, mechanism=synthesize, epsilon=1"},
		{"public-knowledge", "accuracy", "set=yelp-short, about=words, begins=words, mechanism=synthesize, epsilon=1"},
		{"public-knowledge", "accuracy", "set=ag-news, codebook=own, about=words, begins=words, mechanism=synthesize, epsilon=1"},
		{"public-knowledge", "accuracy", "set=trec6, mechanism=public knowledge"},
		{"public-knowledge", "accuracy", "set=yelp-short, mechanism=public knowledge"},
		{"public-knowledge", "accuracy", "set=ag-news, codebook=own, mechanism=public knowledge"},
		{"public-knowledge", "accuracy", "set=trec6, mechanism=none"},
		{"public-knowledge", "accuracy", "set=yelp-short, mechanism=none"},
		{"public-knowledge", "accuracy", "set=ag-news, codebook=own, mechanism=none"}}},
	{"Release each text as a public one (retrieval): %.3f at epsilon 1 for the whole text and %.3f at 4. Nobody is trusted.", []figureAt{
		{"whole-texts", "accuracy", "set=ag-news, codebook=own, epsilon=1"},
		{"whole-texts", "accuracy", "set=ag-news, codebook=own, epsilon=4"}}},
	{"Release each text as one vector (privunit): %.3f at epsilon 1 and %.3f at 4, of %.3f without noise.", []figureAt{
		{"whole-texts-vectors", "accuracy", "set=ag-news, epsilon=1"},
		{"whole-texts-vectors", "accuracy", "set=ag-news, epsilon=4"},
		{"whole-texts-vectors", "accuracy", "set=ag-news, learnt=clear"}}},
	{"Release each text word by word (neighbours) at the same loss of the whole text: %.3f at epsilon 8, where a guess is right for 0.25, and %.3f at 800.", []figureAt{
		{"whole-texts-words", "accuracy", "set=ag-news, epsilon=8"},
		{"whole-texts-words", "accuracy", "set=ag-news, epsilon=800"}}},
	{"An attacker who knows 200 private texts of AG News names the one behind a release of retrieval at epsilon 4 with probability %.3f if the corpus is other texts of AG News, and %.3f if it is the embedded English corpus: the figure depends on both. At a loss of 4 for the whole text, no attack on any mechanism can exceed %.3f.", []figureAt{
		{"whole-texts", "linked", "set=ag-news, codebook=own, epsilon=4"},
		{"whole-texts", "linked", "set=ag-news, codebook=english, epsilon=4"},
		{"whole-texts", "linked_limit", "set=ag-news, codebook=own, epsilon=4"}}},
	{"Among 1,000 texts of AG News, at epsilon 4, attackers name the right one with probability %.3f from retrieval over other texts of AG News, %.3f from privunit (at most %.3f), and %.3f where neighbours releases every word at epsilon 4. They guess right whether a record took part in a synthetic corpus with probability %.3f.", []figureAt{
		{"linkage", "linked", "set=ag-news, codebook=own, among=1000, mechanism=retrieval objective=signal, epsilon=4"},
		{"linkage", "linked", "set=ag-news, codebook=own, among=1000, mechanism=privunit, epsilon=4"},
		{"linkage", "limit", "set=ag-news, codebook=own, among=1000, mechanism=privunit, epsilon=4"},
		{"linkage", "linked", "set=ag-news, codebook=own, among=1000, mechanism=neighbours, epsilon=4"},
		{"linkage", "linked", "set=ag-news, codebook=own, mechanism=synthesize, epsilon=4"}}},
	{"At epsilon 4 per word, neighbours teaches %.3f of news and randomised response %.3f: sets of similar words keep what averages of many words need.", []figureAt{
		{"learning", "accuracy", "set=ag-news, mechanism=neighbours, epsilon=4"},
		{"learning", "accuracy", "set=ag-news, mechanism=response, epsilon=4"}}},
	{"At epsilon 8 per word, a reader with a language model recovers %.3f of the words of news from neighbours and %.3f from classes.", []figureAt{
		{"restored", "recovered", "set=ag-news, prior=ag-news, public=13600, mechanism=neighbours, epsilon=8"},
		{"restored", "recovered", "set=ag-news, prior=ag-news, public=13600, mechanism=classes, epsilon=8"}}},
	{"TEM's published parameter is conservative: its epsilon 2 is certified at %.2f. Calibrated to a certified 2, tem teaches %.3f of film reviews, and %.3f as published.", []figureAt{
		{"tem-accuracy", "certified metric epsilon", "mechanism=tem published, epsilon=2"},
		{"tem-accuracy", "accuracy", "mechanism=tem, epsilon=2"},
		{"tem-accuracy", "accuracy", "mechanism=tem published, epsilon=2"}}},
	{"Two published claims are refuted, here at 300 dimensions. TrLaplace at epsilon 0.05: the claimed delta is %.0e and the true one %.3f. ADePT: a claimed epsilon of 1 is %.1f.", []figureAt{
		{"vector-delta", "delta_claimed", "mechanism=trlaplace-published, dimensions=300, epsilon=0.05"},
		{"vector-delta", "delta_true", "mechanism=trlaplace-published, dimensions=300, epsilon=0.05"},
		{"vector-delta", "epsilon_true", "mechanism=adept-published, dimensions=300, epsilon=1"}}},
}

// summarise returns the summary of full rows; empty for other sizes, whose figures are not
// findings.
func summarise(size plan.Size, code string, parts []Part) summary {
	if size != plan.Full {
		return summary{}
	}
	rows := func(name string) []result.Group {
		k := slices.IndexFunc(parts, func(p Part) bool { return p.Plan.Name == name })
		if k < 0 {
			return nil
		}
		return result.Grouped(parts[k].Rows)
	}
	var s summary
	for _, f := range findings {
		var figures []any
		for _, at := range f.figures {
			if v, ok := at.mean(rows(at.plan)); ok {
				figures = append(figures, v)
			}
		}
		if len(figures) == len(f.figures) {
			s.Findings = append(s.Findings, fmt.Sprintf(f.text, figures...))
		}
	}
	if sheet := unitsSheet(rows, code); len(sheet.Charts) > 0 {
		p := plotOf(sheet)
		s.Plot = &p
	}
	return s
}

// mean returns the mean of a figure over seeds; false unless exactly one group has it.
func (at figureAt) mean(groups []result.Group) (mean float64, ok bool) {
	for _, g := range groups {
		if !hasParams(g, at.where) {
			continue
		}
		sum, n := 0.0, 0
		for _, r := range g.Rows {
			if v, known := plan.Coordinate(r, at.value); known {
				sum, n = sum+v, n+1
			}
		}
		if n == 0 {
			continue
		}
		if ok {
			return 0, false
		}
		mean, ok = sum/float64(n), true
	}
	return mean, ok
}

// hasParams reports whether a group has the parameters "name=value, name=value".
func hasParams(g result.Group, where string) bool {
	for part := range strings.SplitSeq(where, ", ") {
		if name, value, _ := strings.Cut(part, "="); g.Params.Get(name) != value {
			return false
		}
	}
	return true
}

// units are the ways to release texts that the first plot compares, with epsilon for all
// that is released about one text.
var units = []way{
	{"synthetic-corpora", "corpus: synthesize (trusted holder)", over("own")},
	{"whole-texts", "text: retrieval", over("own")},
	{"whole-texts-vectors", "vector: privunit", anyGroup},
	{"whole-texts-words", "words: neighbours, by total loss", anyGroup},
}

// unitsSheet draws accuracy against the epsilon of a whole text, one frame for each set.
func unitsSheet(rows func(plan string) []result.Group, code string) chart.Sheet {
	sheet := chart.Sheet{Title: "Accuracy against the epsilon of a whole text", Columns: 2, Legend: true}
	for _, set := range comparedSets {
		c := chart.Chart{Title: name(set), X: "epsilon of the whole text, words added up", Y: "accuracy", LogX: true}
		limit := chart.Series{Name: "without privacy", Style: chart.Limit}
		for i, u := range units {
			groups := slices.DeleteFunc(rows(u.plan), func(g result.Group) bool { return g.Params.Get("set") != set || !u.fits(g) })
			line := curve(part{u.name, groups}, "epsilon", "accuracy", i, code)
			if len(line.XY) == 0 {
				continue
			}
			c.Series = append(c.Series, line)
			if clear := ceiling(groups); clear > 0 {
				limit.XY = [][2]float64{{0.1, clear}, {800, clear}}
			}
		}
		if len(c.Series) > 0 {
			c.Series = append([]chart.Series{limit}, c.Series...)
			sheet.Charts = append(sheet.Charts, c)
		}
	}
	return sheet
}
