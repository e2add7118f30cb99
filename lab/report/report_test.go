package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

func row(name string, epsilon float64, seed uint64, values map[string]float64) result.Row {
	p := result.Params{{Name: "mechanism", Value: name}}
	if epsilon > 0 {
		p = append(p, result.Param{Name: "epsilon", Value: epsilon})
	}
	return result.Row{Plan: "p", Params: p, Seed: seed, Commit: "abc", Outcome: result.Outcome{Values: values}}
}

var rows = []result.Row{
	row("none", 0, 1, map[string]float64{"accuracy": 0.9}),
	row("tem", 10, 1, map[string]float64{"accuracy": 0.8, "limit": 0.5}),
	row("tem", 2, 1, map[string]float64{"accuracy": 0.5, "limit": 0.25}),
	row("tem", 2, 2, map[string]float64{"accuracy": 0.7, "limit": 0.25}),
	{Plan: "p", Params: result.Params{{Name: "mechanism", Value: "gaussian"}, {Name: "epsilon", Value: 2.0}}, Seed: 1, Outcome: result.Outcome{LeftOut: "gaussian: <too large>"}},
}

var drawn = plan.Plan{
	Name: "p", Title: "A <plan>",
	Charts: []plan.Chart{{X: "epsilon", Y: "accuracy", Series: "mechanism", Limit: "limit"}},
	Tables: []plan.Table{
		{Title: "by epsilon", Rows: []string{"mechanism"}, Across: "epsilon", Values: []string{"accuracy"}},
		{Title: "flat", Rows: []string{"mechanism", "epsilon"}, Values: []string{"accuracy", "limit"}},
	},
}

func TestTablesByHand(t *testing.T) {
	g := grids(drawn, result.Grouped(rows))
	if len(g) != 2 {
		t.Fatalf("%d tables", len(g))
	}
	if want := []string{"mechanism", "-", "epsilon 2", "epsilon 10"}; !slices.Equal(g[0].Head, want) {
		t.Errorf("the head is %q, want %q", g[0].Head, want)
	}
	// Two runs of 0.5 and 0.7: t = 12.706 of one degree, times 0.1414/sqrt 2.
	for k, want := range [][]string{{"none", "0.900", "", ""}, {"tem", "", "0.600 ± 1.3", "0.800"}, {"gaussian", "", "", ""}} {
		if !slices.Equal(g[0].Rows[k], want) {
			t.Errorf("row %d is %q, want %q", k, g[0].Rows[k], want)
		}
	}
	if len(g[1].Rows) != 3 || !slices.Equal(g[1].Rows[2], []string{"tem", "2", "0.600 ± 1.3", "0.250"}) {
		t.Errorf("the flat table is %q", g[1].Rows)
	}
}

func TestChartsByHand(t *testing.T) {
	s := sheets(drawn, result.Grouped(rows), "")
	if len(s) != 1 || len(s[0].Charts) != 1 {
		t.Fatalf("sheets are %+v", s)
	}
	series := s[0].Charts[0].Series
	if len(series) != 2 || series[0].Name != "tem" || !slices.Equal(series[0].XY, [][2]float64{{2, 0.6}, {10, 0.8}}) {
		t.Errorf("series are %+v", series)
	}
	if l := series[1]; l.Style != chart.Limit || !slices.Equal(l.XY, [][2]float64{{2, 0.25}, {10, 0.5}}) {
		t.Errorf("the limit is %+v", l)
	}
}

func TestThePageEscapesAndSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	if err := Write(dir, plan.Full, "this", []Part{{drawn, rows, 2}, {Plan: plan.Plan{Name: "empty", Title: "Empty"}, Missing: 5}}, false); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, must := range []string{"A &lt;plan&gt;", "gaussian: &lt;too large&gt;", "2 missing", "without rows of this size: <code>empty</code>", "commit abc", "<svg"} {
		if !strings.Contains(string(data), must) {
			t.Errorf("the page lacks %q", must)
		}
	}
	if strings.Contains(string(data), `<section id="empty"`) {
		t.Error("a plan without rows has a section")
	}
	if _, err := os.Stat(filepath.Join(dir, "p.csv")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "empty.csv")); err == nil {
		t.Error("a plan without rows has a table")
	}
}

func TestFiguresAreShort(t *testing.T) {
	for v, want := range map[float64]string{0.25: "0.250", 1234.5: "1234", 0.0001234: "0.000123", 2e9: "2e+09", 0: "0.000", -0.5: "-0.500"} {
		if got := figure(v); got != want {
			t.Errorf("%g is shown as %s, want %s", v, got, want)
		}
	}
}

func TestQuotesAreShownBesideOurFigures(t *testing.T) {
	groups := result.Grouped(rows)
	for where, want := range map[string]string{"mechanism=tem, epsilon=10": "0.800", "mechanism=tem": "0.600 to 0.800", "mechanism=nothing": "", "mechanism=none": "0.900"} {
		if got := ours(plan.Quote{Value: "accuracy", Where: where}, groups); got != want {
			t.Errorf("%s: ours is %q, want %q", where, got, want)
		}
	}
	if got := ours(plan.Quote{}, groups); got != "" {
		t.Errorf("a quote that asks for nothing gets %q", got)
	}
}
