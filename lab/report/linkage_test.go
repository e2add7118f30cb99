package report

import (
	"testing"

	"github.com/sotto-dp/sotto/lab/experiment"
	"github.com/sotto-dp/sotto/lab/result"
)

func rowsOfPlan(plan string, rows ...result.Row) Rows {
	return func(name string) ([]result.Row, error) {
		if name != plan {
			return nil, nil
		}
		return rows, nil
	}
}

func TestTheTableOfLinkageHasItsIntervalsAndLimits(t *testing.T) {
	row := func(mechanism, epsilon string, values map[string]float64) result.Row {
		return result.Row{Params: result.Params{{Name: "set", Value: "ag-news"}, {Name: "among", Value: "200"}, {Name: "mechanism", Value: mechanism}, {Name: "epsilon", Value: epsilon}}, Outcome: result.Outcome{Values: values}}
	}
	got, err := linkageTable(rowsOfPlan("linkage",
		row("neighbours", "4", map[string]float64{"linked": 1, "linked_low": 0.9, "linked_high": 1, "pair": 0.25, "pair_low": 0.2, "pair_high": 0.3}),
		row("retrieval objective=signal", "2", map[string]float64{"linked": 0.125, "limit": 0.5}),
		row("privunit", "4", map[string]float64{"linked": 0.1, "linked_low": 0, "linked_high": 0.2, "limit": 0.75})))
	const want = "| private texts | among | mechanism | 2 | 4 |\n| --- | --- | --- | --- | --- |\n" +
		"| AG News | 200 | `neighbours` |  | 1.000 (0.900 to 1.000) |\n" +
		"| AG News | 200 | `neighbours`, two words |  | 0.250 (0.200 to 0.300) |\n" +
		"| AG News | 200 | `retrieval` | 0.125 |  |\n" +
		"| AG News | 200 | `privunit` |  | 0.100 (0.000 to 0.200) |\n" +
		"| AG News | 200 | at most |  | 0.750 |\n"
	if err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
}

func TestTheTableOfReadersNamesMechanisms(t *testing.T) {
	row := func(set, mechanism, epsilon string, seed uint64, perplexity float64) result.Row {
		return result.Row{Params: result.Params{{Name: "set", Value: set}, {Name: "mechanism", Value: mechanism}, {Name: "epsilon", Value: epsilon}}, Seed: seed,
			Outcome: result.Outcome{Values: map[string]float64{"perplexity": perplexity, "distance": 1.5, "unchanged": 0.25, "best_guess": 0.125, "accuracy": 0.75, "set_size": 1993}}}
	}
	got, err := readableTable(rowsOfPlan("readable",
		row("ag-news", "neighbours objective=readable outputs=2000", "4", 1, 1000), row("ag-news", "neighbours objective=readable outputs=2000", "4", 2, 1001.2),
		row("ag-news", "response", "2", 1, 12), row("sst2", "response", "2", 1, 13)))
	const want = "| pure epsilon | mechanism | distance | perplexity | unchanged | best guess | accuracy |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
		"|  | words alone |  |  |  |  |  |\n|  | strongest none |  |  |  |  |  |\n" +
		"| 2 | `response` | 1.50 | 12 | 0.2500 | 12.50 % | 0.750 |\n" +
		"| 4 | `readable`, `outputs=2000` (k = 1,993) | 1.50 | 1,001 | 0.2500 | 12.50 % | 0.750 |\n"
	if err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
}

func TestTheTablesOfLearningSplitByClasses(t *testing.T) {
	row := func(set, mechanism, epsilon string, accuracy, guess float64) result.Row {
		p := result.Params{{Name: "set", Value: set}, {Name: "mechanism", Value: mechanism}}
		values := map[string]float64{"accuracy": accuracy}
		if epsilon != "" {
			p = append(p, result.Param{Name: "epsilon", Value: epsilon})
			values["best_guess"], values["set_size"] = guess, 50
		}
		return result.Row{Params: p, Outcome: result.Outcome{Values: values}}
	}
	learnt := rowsOfPlan("learning",
		row("ag-news", "none", "", 0.9, 0), row("sst2", "none", "", 0.75, 0),
		row("ag-news", "neighbours k=50", "4", 0.5, 0.125), row("trec6", "neighbours k=50", "4", 0.25, 0.125),
		row("ag-news", "neighbours classes=english k=50", "4", 0.375, 0.125))
	of := func(set, mechanism string, accuracy float64) result.Row { return row(set, mechanism, "", accuracy, 0) }
	public := rowsOfPlan("public-knowledge", of("ag-news", experiment.KnownAlone, 0.625), of("ag-news", "none", 1), of("sst2", experiment.KnownAlone, 0.5))
	rows := func(plan string) ([]result.Row, error) {
		if plan == "learning" {
			return learnt(plan)
		}
		return public(plan)
	}
	const known = "|  | words alone | 0.625 |  | 0.500 |  |\n|  | strongest none | 1.000 |  |  |  |\n"
	plain, err := learningTable(rows)
	if want := "| pure epsilon | mechanism | AG News | TREC-6 | SST-2 | best guess |\n| --- | --- | --- | --- | --- | --- |\n" + known +
		"|  | none: original text | 0.900 |  | 0.750 |  |\n" +
		"| 4 | `k=50` | 0.500 | 0.250 |  | 12.50 % |\n"; err != nil || plain != want {
		t.Errorf("the table is (%v)\n%s", err, plain)
	}
	classes, err := learningClassesTable(rows)
	if want := "| pure epsilon | mechanism with classes | AG News | TREC-6 | SST-2 | best guess |\n| --- | --- | --- | --- | --- | --- |\n" + known +
		"| 4 | `classes=english`, `k=50` | 0.375 |  |  | 12.50 % |\n"; err != nil || classes != want {
		t.Errorf("the table of classes is (%v)\n%s", err, classes)
	}
}
