package risk

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto/attack"
)

type (
	// attackTable is one table of the page of an attack.
	attackTable struct {
		Title string
		Head  []string
		Rows  [][]attackCell
	}
	// attackCell is a figure, with its interval below it if it has one.
	attackCell struct{ Text, Interval string }
)

// tables returns the figures as numbers, and the most exposed words.
func (r *attackedTexts) tables() []attackTable {
	recovered := attackTable{Title: "Shares of words recovered and of texts named among this many candidates, with their intervals", Head: []string{"mechanism", "epsilon", "unit", "words alone", "in context", "rare words", "capitalised", "pairs of texts", "texts named", "among"}}
	labels := attackTable{Title: "Labels: shares that a classifier finds, with their intervals", Head: []string{"mechanism", "epsilon", "unit", "released", "restored", "original", "most frequent"}}
	shares := func(row attack.Row, names ...string) []attackCell {
		cells := []attackCell{{Text: row.Mechanism}, {Text: strconv.FormatFloat(row.Epsilon, 'g', -1, 64)}, {Text: string(row.Unit)}}
		for _, name := range names {
			cells = append(cells, shareCell(row.Intervals[name]))
		}
		return cells
	}
	var exposed []attackTable
	for _, row := range r.Rows {
		cells := shares(row, "recovered", "recovered_in_context", "recovered_rare", "recovered_capitalised", "linked_pair", "linked")
		recovered.Rows = append(recovered.Rows, append(cells, attackCell{Text: strconv.Itoa(row.Among)}))
		for _, l := range row.Also() {
			cells := shares(row, "", "", "", "", "")
			recovered.Rows = append(recovered.Rows, append(cells, shareCell(&l.Share), attackCell{Text: strconv.Itoa(l.Among)}))
		}
		labels.Rows = append(labels.Rows, shares(row, "attribute", "attribute_restored", "attribute_original", "attribute_blind"))
		if len(row.Exposed) == 0 {
			continue
		}
		e := attackTable{Title: fmt.Sprintf("Most exposed rare words of the public sample: %s at epsilon %g", row.Mechanism, row.Epsilon), Head: []string{"word", "occurrences", "recovered in context"}}
		for _, x := range row.Exposed {
			e.Rows = append(e.Rows, []attackCell{{Text: x.Word}, {Text: strconv.Itoa(x.Of)}, shareCell(&x.Share)})
		}
		exposed = append(exposed, e)
	}
	all := []attackTable{recovered.filled()}
	if r.Label != nil {
		all = append(all, labels.filled())
	}
	return append(all, exposed...)
}

// none is shown for a figure that a row does not have.
const none = "–"

// filled returns the table without the columns that no row has a figure for.
func (t attackTable) filled() attackTable {
	some := attackTable{Title: t.Title, Rows: make([][]attackCell, len(t.Rows))}
	for i, head := range t.Head {
		if !slices.ContainsFunc(t.Rows, func(row []attackCell) bool { return row[i].Text != none }) {
			continue
		}
		some.Head = append(some.Head, head)
		for j, row := range t.Rows {
			some.Rows[j] = append(some.Rows[j], row[i])
		}
	}
	return some
}

func shareCell(s *attack.Share) attackCell {
	if s == nil {
		return attackCell{Text: none}
	}
	if s.Method == attack.Computed {
		return attackCell{fmt.Sprintf("%.3f", s.Share), "exact"}
	}
	return attackCell{fmt.Sprintf("%.3f", s.Share), fmt.Sprintf("%.3f to %.3f", s.Low, s.High)}
}
