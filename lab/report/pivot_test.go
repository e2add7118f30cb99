package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
)

func TestAPivotShowsMeansOverSeeds(t *testing.T) {
	rows := func(plan string) ([]result.Row, error) {
		if plan != "some" {
			return nil, nil
		}
		var all []result.Row
		for _, r := range []struct {
			mechanism, epsilon string
			kept               float64
		}{{"laplace", "1", 0.2}, {"laplace", "1", 0.4}, {"laplace", "10", 0.5}, {"tem", "1", 0.05}, {"tem", "10", 0.7}} {
			all = append(all, result.Row{Plan: "some", Seed: uint64(len(all)), Outcome: result.Outcome{Values: map[string]float64{"kept": r.kept, "limit": r.kept + 0.1}},
				Params: result.Params{{Name: "mechanism", Value: r.mechanism}, {Name: "epsilon", Value: r.epsilon}}})
		}
		return all, nil
	}
	p := pivot{
		plan: "some", heads: []string{"kept", "unit"}, value: "kept",
		lines: []label{
			{name: "laplace|word", where: "mechanism=laplace"}, {name: "tem|word", where: "mechanism=tem"}, {name: "none|", where: "mechanism=none"},
			{name: "at most|", value: "limit", collect: slices.Max[[]float64]},
		},
		columns: append(each("epsilon", "1"), shown(percent, each("epsilon", "10"))...),
	}
	const want = "| kept | unit | 1 | 10 |\n| --- | --- | --- | --- |\n" +
		"| laplace | word | 0.300 | 50 % |\n| tem | word | 0.050 | 70 % |\n| none |  |  |  |\n| at most |  | 0.400 | 80 % |\n"
	if got, err := p.table(rows); err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
	p.lines = append(p.lines, label{name: "any"})
	if _, err := p.table(rows); err == nil || !strings.Contains(err.Error(), "line any, column 1: 2 settings") {
		t.Errorf("a cell of two settings gives %v", err)
	}
}

// What is known without a mechanism is of the set of a column or of a line, and of no column that
// shows another value.
func TestAPivotShowsWhatIsKnownWithoutIt(t *testing.T) {
	rows := func(plan string) ([]result.Row, error) {
		switch plan {
		case "public-knowledge":
			return copies, nil
		case "some":
			return []result.Row{known(0.3, 1, "mechanism=tem")}, nil
		}
		return nil, nil
	}
	p := pivot{plan: "some", heads: []string{""}, value: "accuracy", beside: aboveLines,
		lines: each("mechanism", "tem"), columns: append(sets("trec6", "sst2"), label{name: "guess", where: "set=trec6", value: "guess"})}
	const want = "|  | TREC-6 | SST-2 | guess |\n| --- | --- | --- | --- |\n| words alone | 0.600 |  |  |\n| strongest none | 0.800 |  |  |\n| tem | 0.300 |  |  |\n"
	if got, err := p.table(rows); err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
	p.columns, p.set = []label{{name: "accuracy"}}, "trec6"
	if got, err := p.table(rows); err != nil || !strings.Contains(got, "| words alone | 0.600 |") {
		t.Errorf("the table of one set is (%v)\n%s", err, got)
	}
	p.beside, p.set, p.lines = beforeFigures, "", []label{{name: "tem", where: "mechanism=tem, set=trec6"}}
	if got, err := p.table(rows); err != nil || !strings.HasSuffix(got, "|  | words alone | strongest none | accuracy |\n| --- | --- | --- | --- |\n| tem | 0.600 | 0.800 | 0.300 |\n") {
		t.Errorf("the table with columns is (%v)\n%s", err, got)
	}
}

func TestNumbersOfPivots(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{small(0.00004), "0.0000"}, {small(0.0999), "0.0999"}, {small(0.1), "0.100"},
		{percent(0.00031), "0.031 %"}, {percent(0.0078), "0.78 %"}, {percent(0.0994), "9.9 %"}, {percent(0.0996), "10 %"}, {percent(0.637), "64 %"}, {percent(0), "0 %"},
		{thousands(999), "999"}, {thousands(1234567), "1,234,567"},
	} {
		if c.got != c.want {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
}
