package report

import (
	"github.com/sotto-dp/sotto/lab/plan"
)

// quotedTable has every figure of a paper that the lab quotes, beside ours.
func quotedTable(rows Rows) (string, error) { return quotesOf(rows, plan.All()) }

// peersTable has the figures of peers that are measured as whole texts are.
func peersTable(rows Rows) (string, error) {
	p, err := plan.Find("whole-texts")
	if err != nil {
		return "", err
	}
	return quotesOf(rows, []plan.Plan{p})
}

func quotesOf(rows Rows, plans []plan.Plan) (string, error) {
	var lines [][]string
	for _, p := range plans {
		if len(p.Paper) == 0 {
			continue
		}
		all, err := groups(rows, p.Name)
		if err != nil {
			return "", err
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
	return markdown([]string{"paper", "cell", "theirs", "ours", "ours is of", "plan"}, lines), nil
}
