package report

import (
	"testing"

	"github.com/sotto-dp/sotto/lab/result"
)

func TestTheTablesOfRestoredReleasesSplitByModel(t *testing.T) {
	row := func(set, prior, public, mechanism, epsilon string, values map[string]float64) result.Row {
		p := result.Params{{Name: "set", Value: set}, {Name: "prior", Value: prior}, {Name: "public", Value: public}, {Name: "mechanism", Value: mechanism}}
		if epsilon != "" {
			p = append(p, result.Param{Name: "epsilon", Value: epsilon})
		}
		return result.Row{Params: p, Outcome: result.Outcome{Values: values}}
	}
	measured := func(recovered, texts float64) map[string]float64 {
		return map[string]float64{"words": 0.5, "restored_words": 0.625, "vectors": 0.75, "restored_vectors": 0.875, "recovered": recovered, "public_texts": texts}
	}
	restored := rowsOfPlan("restored",
		row("ag-news", "ag-news", "13600", "none", "", map[string]float64{"words": 0.9, "vectors": 1}),
		row("ag-news", "ag-news", "13600", "classes", "6", measured(0.25, 10701)),
		row("ag-news", "ag-news", "2000", "classes", "6", measured(0.125, 1568)),
		row("sst2", "sst2", "3460", "classes", "6", measured(0.5, 3383)), // fewer texts, and the most of this set
		row("ag-news", "imdb", "13600", "classes", "6", measured(0, 13384)),
		row("trec6", "trec6", "2000", "classes", "6", measured(0.5, 1900)),
		row("ag-news", "ag-news", "13600", "tem", "2", measured(1, 10701)))
	rows := func(plan string) ([]result.Row, error) {
		if plan == "public-knowledge" {
			return copies, nil
		}
		return restored(plan)
	}
	got, err := restoredTable(rows)
	if want := "| private texts | mechanism | epsilon | words alone | strongest none | naive Bayes, raw | restored | vectors, raw | restored | recovered |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| AG News | none: original texts |  |  |  | 0.900 |  | 1.000 |  |  |\n" +
		"| AG News | `classes` | 6 |  |  | 0.500 | 0.625 | 0.750 | 0.875 | 0.250 |\n" +
		"| AG News | `tem` | 2 |  |  | 0.500 | 0.625 | 0.750 | 0.875 | 1.000 |\n" +
		"| SST-2 | `classes` | 6 |  |  | 0.500 | 0.625 | 0.750 | 0.875 | 0.500 |\n" +
		"| TREC-6 | `classes` | 6 | 0.600 | 0.800 | 0.500 | 0.625 | 0.750 | 0.875 | 0.500 |\n"; err != nil || got != want {
		t.Errorf("the table is (%v)\n%s", err, got)
	}
	got, err = restoredModelsTable(rows)
	if want := "| private texts | model | mechanism | epsilon | words alone | strongest none | naive Bayes, raw | restored | vectors, raw | restored | recovered |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" +
		"| AG News | 1,568 texts of AG News | `classes` | 6 |  |  | 0.500 | 0.625 | 0.750 | 0.875 | 0.125 |\n" +
		"| AG News | 13,384 texts of IMDB | `classes` | 6 |  |  | 0.500 | 0.625 | 0.750 | 0.875 | 0.000 |\n"; err != nil || got != want {
		t.Errorf("the table of other models is (%v)\n%s", err, got)
	}
}
