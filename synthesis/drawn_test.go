package synthesis

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/privacy/identity"
)

// The rows of a release are those that its statement has, in any order and with any spaces
// between words, and no others.
func TestStatementHasTheRowsThatWereDrawn(t *testing.T) {
	p := planOf(t, Options{Epsilon: 3, Expect: 500, Columns: []Column{labels(t, "label", "sport", "money")}})
	for _, weighted := range []bool{false, true} {
		counts := p.NewCounts()
		for _, n := range counts.all() {
			*n = 9
		}
		r, err := p.Release(counts, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Statement().Drawn != nil {
			t.Error("a statement has rows before any was drawn")
		}
		var rows []Row
		keep := func(row Row) error {
			rows = append(rows, Row{append([]string(nil), row.Labels...), append([]byte("  "), row.Text...), row.Weight})
			return nil
		}
		if weighted {
			err = r.Weighted(context.Background(), keep)
		} else {
			err = r.Draw(context.Background(), 0, nil, keep)
		}
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement()
		if err := s.Verify(); err != nil {
			t.Fatal(err)
		}
		again := func(change func(rows []Row) []Row) identity.Drawn {
			own := change(append([]Row(nil), rows...))
			var tally identity.Tally
			for i := range own {
				row := own[len(own)-1-i]
				tally.Add(row.Labels, row.Text, row.Weight)
			}
			return tally.Drawn()
		}
		if got := again(func(rows []Row) []Row { return rows }); got != *s.Drawn || got.Rows != int64(len(rows)) {
			t.Errorf("the rows are %+v, the statement has %+v", got, s.Drawn)
		}
		for name, change := range map[string]func(rows []Row) []Row{
			"a row less":    func(rows []Row) []Row { return rows[1:] },
			"a row twice":   func(rows []Row) []Row { return append(rows[1:], rows[1]) },
			"another text":  func(rows []Row) []Row { rows[3].Text = []byte("another"); return rows },
			"another label": func(rows []Row) []Row { rows[3].Labels = []string{rows[3].Labels[0] + "s"}; return rows },
			"a label more":  func(rows []Row) []Row { rows[3].Labels = append(rows[3].Labels, ""); return rows },
			"weight":        func(rows []Row) []Row { rows[3].Weight += 0.5; return rows },
		} {
			if again(change) == *s.Drawn {
				t.Errorf("%s: the rows count as the same", name)
			}
		}
	}
}

func TestImpossibleRowsAreRefused(t *testing.T) {
	p := planOf(t, Options{Epsilon: 3, Expect: 500, Columns: []Column{labels(t, "label", "sport", "money")}})
	r, err := p.Release(p.NewCounts(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(context.Background(), 3, nil, func(Row) error { return nil }); err != nil {
		t.Fatal(err)
	}
	good := *r.Statement().Drawn
	for _, bad := range []identity.Drawn{{Rows: -1, SHA256: good.SHA256}, {Rows: good.Rows}, {Rows: good.Rows, SHA256: good.SHA256[:62] + "AB"}} {
		s := r.Statement()
		s.Drawn = &bad
		if s.Verify() == nil {
			t.Errorf("%+v are rows", bad)
		}
	}
}
