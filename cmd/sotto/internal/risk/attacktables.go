package risk

import (
	"fmt"
	"strconv"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/internal/page"
)

// tables returns the figures as numbers, and the most exposed words.
func (r *attackedTexts) tables() []page.Table {
	recovered := page.Table{Title: "Shares of words recovered and of texts named among this many candidates, with their intervals", Head: []string{"mechanism", "epsilon", "unit", "words alone", "in context", "rare words", "capitalised", "pairs of texts", "texts named", "among"}}
	labels := page.Table{Title: "Labels: shares that a classifier finds, with their intervals", Head: []string{"mechanism", "epsilon", "unit", "released", "restored", "original", "most frequent"}}
	shares := func(row attack.Row, names ...string) []page.Cell {
		cells := []page.Cell{{Text: row.Mechanism}, {Text: strconv.FormatFloat(row.Epsilon, 'g', -1, 64)}, {Text: string(row.Unit)}}
		for _, name := range names {
			cells = append(cells, shareCell(row.Intervals[name]))
		}
		return cells
	}
	var exposed []page.Table
	for _, row := range r.Rows {
		cells := shares(row, "recovered", "recovered_in_context", "recovered_rare", "recovered_capitalised", "linked_pair", "linked")
		recovered.Rows = append(recovered.Rows, append(cells, page.Cell{Text: strconv.Itoa(row.Among)}))
		for _, l := range row.Also() {
			cells := shares(row, "", "", "", "", "")
			recovered.Rows = append(recovered.Rows, append(cells, shareCell(&l.Share), page.Cell{Text: strconv.Itoa(l.Among)}))
		}
		labels.Rows = append(labels.Rows, shares(row, "attribute", "attribute_restored", "attribute_original", "attribute_blind"))
		if len(row.Exposed) == 0 {
			continue
		}
		e := page.Table{Title: fmt.Sprintf("Most exposed rare words of the public sample: %s at epsilon %g", row.Mechanism, row.Epsilon), Head: []string{"word", "occurrences", "recovered in context"}}
		for _, x := range row.Exposed {
			e.Rows = append(e.Rows, []page.Cell{{Text: x.Word}, {Text: strconv.Itoa(x.Of)}, shareCell(&x.Share)})
		}
		exposed = append(exposed, e)
	}
	all := []page.Table{recovered.Filled()}
	if r.Label != nil {
		all = append(all, labels.Filled())
	}
	return append(all, exposed...)
}

func shareCell(s *attack.Share) page.Cell {
	if s == nil {
		return page.Cell{Text: page.None}
	}
	if s.Method == attack.Computed {
		return page.Cell{Text: fmt.Sprintf("%.3f", s.Share), Interval: "exact"}
	}
	return page.Cell{Text: fmt.Sprintf("%.3f", s.Share), Interval: fmt.Sprintf("%.3f to %.3f", s.Low, s.High)}
}
