package evaluation

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/internal/page"
	"github.com/sotto-dp/sotto/synthesis"
)

//go:embed page.html
var content string

var template = page.New("evaluation", content)

// Page writes the evaluation as one self-contained HTML page.
func (e *Evaluation) Page(w io.Writer) error {
	title, verified := "A private copy of a corpus", "its noise has the loss of its claim, and its clusters are those of the public texts"
	if e.Release == "texts" {
		title, verified = "Private copies of texts", "every figure of its certificate was recomputed over the corpus. The file has "+e.part()
	}
	view := map[string]any{
		"Title": title, "Verified": verified, "E": e, "Coverage": e.coverage(), "Variety": e.variety(), "Lengths": e.lengths(),
		"Risks": e.risks(), "First": e.first(), "Confidence": Confidence, "Bits": "", "Privacy": capital(e.Privacy),
	}
	if e.Bits != nil {
		view["Bits"] = fmt.Sprintf("The copy of one text carries at most %.3g bits about it on average.", *e.Bits)
	}
	if e.Learned != nil {
		view["Learned"] = e.learned()
	}
	if len(e.Labels) > 0 {
		view["Labels"] = e.labels()
	}
	return template.Execute(w, view)
}

// part says how many of the stated rows the file has.
func (e *Evaluation) part() string {
	rows := strconv.Itoa(e.Copy.Texts)
	if e.Stated > e.Copy.Texts {
		rows += " of the stated " + strconv.Itoa(e.Stated) + " rows"
	} else {
		rows = "the stated " + rows + " rows"
	}
	return rows + ", each of them a text of the corpus"
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// coverage says how well the public texts cover the private ones.
func (e *Evaluation) coverage() string {
	if c := e.Coverage; c != nil {
		return fmt.Sprintf("Between %s and %s of the private records are far from all public texts, by noisy counts that the epsilon has paid for. Of the public texts themselves, %s are as far from the centre of their own cluster; of other texts like them about %s, since a centre is nearest to the texts that it is the mean of. A far record still counts for its nearest cluster, so where the share is large, the copy misses what these records are about: another corpus may fit better.",
			percent(c.Low), percent(c.High), percent(c.Public), percent(c.Expected))
	}
	return fmt.Sprintf("How near the copies are to their texts is not known: nothing was spent on such a figure, and this page reads no private text. With probability %s a copy is one of the %d public texts nearest to its text; otherwise it may be any text of the corpus.", percent(*e.Inside), *e.Neighbours)
}

// risks is the table of the risks.
func (e *Evaluation) risks() page.Table {
	t := page.Table{Title: "Share of right guesses", Head: []string{"guess", "among", "without the release", "attack", "limit"}}
	for _, r := range e.Risks {
		attack := page.None
		if r.Attack != nil {
			attack = share(*r.Attack)
		}
		t.Rows = append(t.Rows, row(r.Guess, strconv.Itoa(r.Among), share(r.Chance), attack, share(r.Limit)))
	}
	return t.Filled()
}

func share(x float64) string { return fmt.Sprintf("%.3f", x) }

func row(cells ...string) (all []page.Cell) {
	for _, c := range cells {
		all = append(all, page.Cell{Text: c})
	}
	return all
}

// variety compares the copy with the corpus.
func (e *Evaluation) variety() page.Table {
	t := page.Table{Title: "The copy beside the public texts of the corpus", Head: []string{"", "copy", "corpus"}}
	add := func(name string, of func(Copy) string) { t.Rows = append(t.Rows, row(name, of(e.Copy), of(e.Corpus))) }
	add("texts", func(c Copy) string { return strconv.Itoa(c.Texts) })
	add("distinct texts", func(c Copy) string { return strconv.Itoa(c.Distinct) })
	add("as varied as this many equally frequent texts", func(c Copy) string { return fmt.Sprintf("%.0f", c.Effective) })
	add("share of the most frequent text", func(c Copy) string { return percent(c.Commonest) })
	add("distinct words", func(c Copy) string { return strconv.Itoa(c.Words) })
	add("words of a text: mean", func(c Copy) string { return fmt.Sprintf("%.1f", c.Lengths.Mean) })
	add("a quarter, half, three quarters have at most", func(c Copy) string {
		return fmt.Sprintf("%d, %d, %d", c.Lengths.Quarter, c.Lengths.Median, c.Lengths.Three)
	})
	add("shortest and longest", func(c Copy) string { return fmt.Sprintf("%d, %d", c.Lengths.Least, c.Lengths.Most) })
	return t
}

// lengths draws how long the texts are.
func (e *Evaluation) lengths() page.Figure {
	const bins = 24
	width := max(1, (max(e.Copy.Lengths.Most, e.Corpus.Lengths.Most)+bins)/bins)
	of := func(l *Lengths) (points [][2]float64) {
		for i, s := range l.bins(width, bins) {
			points = append(points, [2]float64{float64(i*width) + float64(width)/2, s})
		}
		return points
	}
	c := chart.Chart{X: "words of a text", Y: "share of texts", Series: []chart.Series{
		{Name: "copy", Style: chart.Marked, XY: of(&e.Copy.Lengths)}, {Name: "corpus", Style: chart.Hollow, Colour: 1, XY: of(&e.Corpus.Lengths)},
	}}
	about := "The lengths of what came out. They are those of public texts, and show nothing about how long the private texts are."
	if e.Release == "corpus" {
		about = "The lengths of what came out. They follow from which public texts the noisy counts chose; how long the private records are was never read."
	}
	return page.Drawn("Lengths", about, chart.Sheet{Charts: []chart.Chart{c}, Columns: 1, Width: 720, Height: 280, Legend: true})
}

// learned draws what a classifier gains.
func (e *Evaluation) learned() page.Figure {
	l := e.Learned
	v := chart.Intervals{X: "share of the test texts", Width: 720, Rows: []chart.Interval{accuracy("most frequent label", l.Blind, 2)}}
	if l.Public != nil {
		v.Rows = append(v.Rows, accuracy("public knowledge alone", *l.Public, 1))
	}
	v.Rows = append(v.Rows, accuracy("with the copy", l.Accuracy, 0))
	about := fmt.Sprintf("A classifier of %q that learns from the copy names %s of %d test texts correctly (%s to %s).", l.Label, share(l.Accuracy.Share), l.Accuracy.Of, share(l.Accuracy.Low), share(l.Accuracy.High))
	if l.Public != nil {
		about += fmt.Sprintf(" Public words for labels, without any private text, name %s.", share(l.Public.Share))
	} else {
		about += " What public knowledge names alone was not measured."
	}
	return page.Drawn("What a learner gains", about+" "+capital(l.Privacy)+".", v)
}

func accuracy(name string, a Accuracy, colour int) chart.Interval {
	return chart.Interval{Label: name, Value: a.Share, Low: a.Low, High: a.High, Colour: colour}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// mostLabels are drawn, the most frequent ones.
const mostLabels = 30

// labels draws the shares of labels.
func (e *Evaluation) labels() page.Figure {
	v := chart.Intervals{X: "share", Width: 720, Legend: []string{"private records, noisy, with the interval", "the copy"}}
	shown := slices.Clone(e.Labels)
	about := "Shares of labels among the private records, by the noisy counts, with intervals that hold together, and in the copy. The copy has no records of the kind other."
	if len(shown) > mostLabels {
		slices.SortStableFunc(shown, func(a, b LabelShare) int {
			switch {
			case a.Share > b.Share:
				return -1
			case a.Share < b.Share:
				return 1
			}
			return 0
		})
		about += fmt.Sprintf(" These are the %d most frequent of %d.", mostLabels, len(shown))
		shown = shown[:mostLabels]
	}
	for _, l := range shown {
		name := synthesis.Other
		if l.Labels != nil {
			name = strings.Join(l.Labels, ", ")
		}
		v.Rows = append(v.Rows, chart.Interval{Label: name, Value: l.Share, Low: l.Low, High: l.High},
			chart.Interval{Value: l.Copy, Low: l.Copy, High: l.Copy, Colour: 1})
	}
	return page.Drawn("Labels", about, v)
}

// first is the table of the first rows.
func (e *Evaluation) first() page.Table {
	t := page.Table{Title: "As they came out", Head: e.First.Columns, Read: true}
	for _, r := range e.First.Rows {
		t.Rows = append(t.Rows, row(r...))
	}
	return t
}
