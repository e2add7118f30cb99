package report

import (
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/result"
)

// learner is a column of vectorsTable.
type learner struct {
	title string
	fits  func(mechanism string, g result.Group) bool
}

var learners = []learner{
	{"none", func(_ string, g result.Group) bool { return g.Params.Get("learnt") == "clear" }},
	{"`privunit`", func(m string, _ result.Group) bool {
		return strings.HasPrefix(m, "privunit") && !strings.HasSuffix(m, "form=continuous")
	}},
	{"`privunit`, continuous", func(m string, _ result.Group) bool { return strings.HasSuffix(m, "form=continuous") }},
	{"`gaussian-analytic`", func(m string, _ result.Group) bool { return m == "gaussian-analytic" }},
	{"`laplace`", func(m string, _ result.Group) bool { return m == "laplace" }},
	{"`trlaplace`", func(m string, _ result.Group) bool { return m == "trlaplace" }},
	{"`privemb`", func(m string, _ result.Group) bool { return m == "privemb" }},
}

// vectorsTable has a line for each set and epsilon of a whole text, and a column for
// each mechanism.
func vectorsTable(rows Rows) (string, error) {
	all, err := groups(rows, "text-vectors")
	if err != nil {
		return "", err
	}
	b, err := besideOf(rows)
	head := append([]string{"private texts", "epsilon"}, besideHead...)
	for _, l := range learners {
		head = append(head, l.title)
	}
	var lines [][]string
	for _, g := range all {
		if len(g.Values("accuracy")) == 0 {
			continue
		}
		of, epsilon := name(g.Params.Get("set")), g.Params.Get("epsilon")
		at := slices.IndexFunc(lines, func(l []string) bool { return l[0] == of && l[1] == epsilon })
		if at < 0 {
			at = len(lines)
			lines = append(lines, slices.Concat([]string{of, epsilon}, b.ofSet(g.Params.Get("set")), make([]string, len(learners))))
		}
		column := slices.IndexFunc(learners, func(l learner) bool { return l.fits(g.Params.Get("mechanism"), g) })
		if column >= 0 {
			lines[at][len(head)-len(learners)+column] = three(mean(g, "accuracy"))
		}
	}
	return markdown(head, lines), err
}
