//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A wait is a command that somebody waits for, and the processor seconds that it should take
// at most. Its arguments are as they are shown, with files in place of FILES.
type wait struct {
	what, shown string
	most        float64
}

var waiting = []wait{
	{"a classifier of 4,608 releases", "sotto learn --report RELEASE.json --field text --label label -o OUT.json RELEASE.tsv", 2},
	{"three mechanisms at five epsilons, with risks", "sotto compare -e 2:10:2 --public --texts SOME --field text --corpus MODEL neighbours classes tem", 15},
	{"an epsilon by linkage of words, 400 texts", "sotto tune -m neighbours --linkage 0.1 --public --texts SOME --field text --corpus MODEL", 5},
	{"an attack at its defaults, 400 texts", "sotto attack -e 8 --public --texts SOME --field text --corpus MODEL", 10},
	{"a corpus of the sentences of 4,500 reviews", "sotto corpus build --public --sentences --field text -o OUT.corpus REVIEWS", 6},
	{"an audit by enumeration", "sotto audit exponential -e 4", 5},
	{"an audit by sampling", "sotto audit madlib -e 10", 5},
	{"an audit by sampling of a noisy vector", "sotto audit laplace -e 10", 5},
	{"an audit by sampling of codes", "sotto audit brr -e 0.2", 5},
}

// waits measures what people wait for, beside what the page says of the last time.
func waits(m *meter) ([][]string, error) {
	before, err := lastWaits()
	if err != nil {
		return nil, err
	}
	files, err := m.waitFiles()
	if err != nil {
		return nil, err
	}
	var jobs []job
	var rows [][]string
	for _, w := range waiting {
		jobs = append(jobs, job{"Wait/" + strings.ReplaceAll(w.what, " ", "_"), strings.Fields(files.Replace(strings.TrimPrefix(w.shown, "sotto ")))})
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, err
	}
	for i, w := range waiting {
		rows = append(rows, waited(w.what, w.shown, costs[i], before, w.most))
	}
	build := exec.CommandContext(m.ctx, "go", "build", "-o", filepath.Join(m.work, "first"), "./cmd/sotto")
	build.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOCACHE="+filepath.Join(m.work, "empty"))
	first, err := costOf(build)
	return append(rows, waited("the first build, from an empty cache", "go build ./cmd/sotto", first, before, 60)), err
}

func waited(what, shown string, c cost, before map[string]string, most float64) []string {
	return []string{what, "`" + shown + "`", number(c.processor), before[what], fmt.Sprintf("%g", most), megabytes(c.peak)}
}

// lastWaits returns the processor seconds that the page has, by what took them.
func lastWaits() (map[string]string, error) {
	page, err := os.ReadFile(document)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(page), "<!-- table: waits -->\n")
	rows, _, _ := strings.Cut(rest, "<!-- end -->")
	last := map[string]string{}
	for line := range strings.Lines(rows) {
		if cells := strings.Split(strings.Trim(line, "|\n"), " | "); len(cells) > 3 {
			last[strings.TrimSpace(cells[0])] = cells[2]
		}
	}
	return last, nil
}

// waitFiles makes the files that the commands read.
func (m *meter) waitFiles() (*strings.Replacer, error) {
	in := func(name string) string { return filepath.Join(m.work, name) }
	news, some, reviews, model := in("wait.tsv"), in("some.tsv"), in("reviews.tsv"), in("model.txt")
	from := filepath.Join(m.data, "ag-news", "train.tsv.gz")
	for _, f := range []struct {
		from, to string
		texts    int
	}{{from, news, 4608}, {from, some, 400}, {m.imdb(), reviews, 4500}} {
		if err := firstLines(f.from, f.to, f.texts+1); err != nil {
			return nil, err
		}
	}
	if err := textsAfter(from, model, 4608); err != nil {
		return nil, err
	}
	_, err := m.sotto("rewrite", "-q", "--unit", "text", "-e", "4", "--field", "text", "--report", in("release.json"), "-o", in("release.tsv"), news)
	return strings.NewReplacer("RELEASE.json", in("release.json"), "RELEASE.tsv", in("release.tsv"), "SOME", some, "MODEL", model,
		"OUT.json", in("out.json"), "OUT.corpus", in("out.corpus"), "REVIEWS", reviews), err
}

// textsAfter writes the texts of a TSV without the first ones: what a reader's language model
// is trained on.
func textsAfter(from, to string, skipped int64) error {
	var texts strings.Builder
	err := eachText(from, func(id int64, text string) error {
		if id > skipped {
			texts.WriteString(text + "\n")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(texts.String()), 0o600)
}
