package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/lab/plan"
	"github.com/sotto-dp/sotto/lab/result"
)

func wholeRow(codebook, epsilon string, seed uint64, values map[string]float64) result.Row {
	p := result.Params{{Name: "set", Value: "ag-news"}, {Name: "codebook", Value: codebook}, {Name: "mechanism", Value: "retrieval objective=signal"}}
	if epsilon != "" {
		p = append(p, result.Param{Name: "epsilon", Value: epsilon})
	}
	return result.Row{Plan: "whole-texts", Params: p, Seed: seed, Outcome: result.Outcome{Values: values}}
}

func someRows(plan string) ([]result.Row, error) {
	if plan != "whole-texts" {
		return nil, nil
	}
	return []result.Row{
		wholeRow("own", "", 1, map[string]float64{"accuracy": 0.9}),
		wholeRow("own", "4", 1, map[string]float64{"accuracy": 0.8, "plain_accuracy": 0.75, "clear": 0.9}),
		wholeRow("own", "4", 2, map[string]float64{"accuracy": 0.7, "plain_accuracy": 0.75, "clear": 0.9}),
		wholeRow("own", "1", 1, map[string]float64{"accuracy": 0.5, "plain_accuracy": 0.4, "clear": 0.9}),
	}, nil
}

func TestADocumentHasItsTablesFromRows(t *testing.T) {
	const text = "before\n<!-- table: whole-texts-accuracy -->\nold\n<!-- end -->\nafter\n<!-- figure: whole-texts -->\n![x](a.svg)\n"
	// Columns by epsilon, means over seeds; 0.8 and 0.7 have a deviation of 0.071.
	const want = "before\n<!-- table: whole-texts-accuracy -->\n" +
		"| private texts, corpus | words alone | strongest none | none | 1 | 4 | seeds; largest deviation |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
		"| AG News, AG News |  |  | 0.900 | 0.500 / 0.400 | 0.750 / 0.750 | 1 to 2; 0.071 |\n%s" +
		"<!-- end -->\nafter\n<!-- figure: whole-texts -->\n![x](a.svg)\n"
	got, drawn, err := Document(text, someRows)
	if want := fmt.Sprintf(want, earlier([]string{"whole-texts"})); err != nil || got != want {
		t.Errorf("the document is (%v)\n%s", err, got)
	}
	if again, _, err := Document(got, someRows); err != nil || again != got {
		t.Errorf("made again it differs (%v)", err)
	}
	if svg := drawn["a.svg"]; !strings.Contains(svg, "AG News") || strings.Contains(svg, "TREC-6") || strings.Contains(svg, "NaN") {
		t.Errorf("the figure is %.300s", svg)
	}
	for _, unknown := range []string{"<!-- table: nothing -->\n<!-- end -->\n", "<!-- figure: nothing -->\n![x](a.svg)\n"} {
		if _, _, err := Document(unknown, someRows); err == nil || !strings.Contains(err.Error(), `"nothing"`) {
			t.Errorf("%q gives %v", unknown, err)
		}
	}
}

func TestCellsKeepToTheirColumn(t *testing.T) {
	if got := markdown([]string{"a"}, [][]string{{"x|y\nz"}}); got != "| a |\n| --- |\n| x\\|y z |\n" {
		t.Errorf("the table is %q", got)
	}
}

// What the pages say is what the rows say: no figure is written by hand.
func TestDocumentsAgreeWithTheirRows(t *testing.T) {
	for _, name := range []string{"results/whole-texts.md", "howto/texts.md", "results/synthetic-corpora.md", "results/learning.md", "results/autoencoder.md", "results/lab.md"} {
		file := filepath.Join("..", "..", "docs", filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		made, figures, err := Document(string(text), RowsOf(filepath.Join("..", "results", "full")))
		if err != nil {
			t.Fatal(err)
		}
		if made != string(text) {
			t.Errorf("%s differs from its rows: go run ./cmd/lab document ../docs/%s", name, name)
		}
		for svg, want := range figures {
			if got, err := os.ReadFile(filepath.Join(filepath.Dir(file), svg)); err != nil || string(got) != want {
				t.Errorf("%s differs from its rows (%v)", svg, err)
			}
		}
	}
}

// A table says which of its rows the code would make otherwise, and why.
func TestTablesOfEarlierCodeSayIt(t *testing.T) {
	for _, p := range plan.All() {
		said := earlier([]string{p.Name})
		if (p.Earlier != "") != strings.Contains(said, "(`"+p.Name+"`): "+p.Earlier+".") || p.Earlier == "" && said != "" {
			t.Errorf("%s says %q of its rows, and is of earlier code: %q", p.Name, said, p.Earlier)
		}
	}
}

// Each quote of a plan is a line of the table, beside our figure where there is one.
func TestQuotesAreLinesOfTheirTable(t *testing.T) {
	table, err := quotedTable(func(name string) ([]result.Row, error) {
		if name != "tem-accuracy" {
			return nil, nil
		}
		return []result.Row{{Plan: name, Params: result.Params{{Name: "mechanism", Value: "tem published"}, {Name: "epsilon", Value: "2"}}, Outcome: result.Outcome{Values: map[string]float64{"accuracy": 0.7}}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := 2
	for _, p := range plan.All() {
		lines += len(p.Paper)
	}
	if n := strings.Count(table, "\n"); n != lines || !strings.Contains(table, "| TEM, section 5 | IMDB, accuracy, TEM at epsilon 2 | 0.75 | 0.700 | tem at the paper's parameter | `tem-accuracy` |") || !strings.Contains(table, "| not measured |") {
		t.Errorf("%d lines, want %d:\n%s", n, lines, table)
	}
}
