//go:build linux

package main

import (
	"fmt"
	"path/filepath"
)

const newsTexts = 20_000

// texts measures releases of whole texts on one processor: commands over the first texts
// of AG News, less the same over one text, and draws alone.
func texts(m *meter) ([][]string, error) {
	news, one, out := filepath.Join(m.work, "news.tsv"), filepath.Join(m.work, "one.tsv"), filepath.Join(m.work, "out")
	from := filepath.Join(m.data, "ag-news", "train.tsv.gz")
	if err := firstLines(from, news, newsTexts+1); err != nil {
		return nil, err
	}
	if err := firstLines(from, one, 2); err != nil {
		return nil, err
	}
	commands := []struct {
		name, what string
		args       []string
	}{
		{"Texts/retrieval/file", "`sotto rewrite --unit text -e 4 -o OUT`, embedded corpus", []string{"rewrite", "--unit", "text", "-e", "4", "-o", out + ".tsv"}},
		{"Texts/retrieval/stream", "`sotto rewrite --unit text -e 4`, to standard output: every search is made", []string{"rewrite", "--unit", "text", "-e", "4"}},
		{"Texts/privunit/1", "`sotto embed -m privunit -e 1 -o OUT.npy`", []string{"embed", "-m", "privunit", "-e", "1", "-o", out + ".npy"}},
		{"Texts/privunit/4", "`sotto embed -m privunit -e 4 -o OUT.npy`", []string{"embed", "-m", "privunit", "-e", "4", "-o", out + ".npy"}},
	}
	var jobs []job
	for _, c := range commands {
		args := append(c.args, "--workers", "1", "-q", "--format", "tsv", "--field", "text")
		jobs = append(jobs, job{c.name, append(args[:len(args):len(args)], news)}, job{c.name + "/one", append(args[:len(args):len(args)], one)})
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, c := range commands {
		seconds := costs[2*i].processor - costs[2*i+1].processor
		rows = append(rows, []string{c.what, number(seconds) + " s", number(newsTexts / seconds)})
	}
	draws, err := m.benchmarks(".", "^BenchmarkRetrieval$", "-cpu", "1", "-count", fmt.Sprint(m.rounds))
	for i, b := range draws {
		what := "draws alone, M = 50,000, 100 dimensions, k = 500: every search is made"
		if i == 1 {
			what = "the same, 1,024 rows at once with `Untimed`"
		}
		rate := b.values["texts/s"]
		rows = append(rows, []string{what, number(1e6/rate) + " us per text", number(rate)})
	}
	return rows, err
}
