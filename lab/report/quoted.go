package report

import (
	"github.com/sotto-dp/sotto/lab/plan"
)

// quotedTable has every figure of a paper that the lab quotes, beside ours.
func quotedTable(rows Rows) (string, error) {
	lines, err := quotesOf(rows, plan.All())
	return markdown([]string{"paper", "cell", "theirs", "ours", "ours is of", "plan"}, lines), err
}

// peersTable has the figures of peers that are measured as whole texts are: what a figure is of
// stands in its cell, since the units differ.
func peersTable(rows Rows) (string, error) {
	p, err := plan.Find("whole-texts")
	if err != nil {
		return "", err
	}
	lines, err := quotesOf(rows, []plan.Plan{p})
	for i, l := range lines {
		ours := l[3]
		if l[4] != "" {
			ours += ", " + l[4]
		}
		lines[i] = append(l[:3:3], ours)
	}
	return markdown([]string{"paper", "cell", "theirs", "ours"}, lines), err
}

func quotesOf(rows Rows, plans []plan.Plan) (lines [][]string, err error) {
	for _, p := range plans {
		if len(p.Paper) == 0 {
			continue
		}
		all, err := groups(rows, p.Name)
		if err != nil {
			return nil, err
		}
		for _, q := range p.Paper {
			of := q.Ours
			if of == "" {
				of = "the same"
			}
			found := ours(q, all)
			if found == "" {
				found, of = "not measured", ""
			}
			lines = append(lines, []string{q.Paper + ", " + q.Place, q.Cell, q.Figure, found, of, "`" + p.Name + "`"})
		}
	}
	return lines, nil
}
