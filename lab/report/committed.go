package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

// Committed returns each plan with the rows of PLAN.csv in a folder. A trial of the size is
// missing if no row has its parameters and its seed.
func Committed(folder string, size plan.Size) (parts []Part, err error) {
	rows := RowsOf(folder)
	for _, p := range plan.All() {
		part := Part{Plan: p}
		if part.Rows, err = rows(p.Name); err != nil {
			return nil, err
		}
		made := map[string]bool{}
		for _, r := range part.Rows {
			made[trial(r.Params, r.Seed)] = true
		}
		for _, t := range p.Grid(size) {
			if !made[trial(t.Params, t.Seed)] {
				part.Missing++
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// trial names a trial. Columns of a CSV have one order for all rows, so the order of the
// parameters does not count.
func trial(p result.Params, seed uint64) string {
	var named []string
	for _, q := range p {
		if value := p.Get(q.Name); value != "" {
			named = append(named, q.Name+"="+value)
		}
	}
	slices.Sort(named)
	return fmt.Sprintf("%s seed=%d", strings.Join(named, " "), seed)
}
