//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// growing is a command over an input of a size and of twice and four times that size. N in what
// is shown is the size; args has files for it.
type growing struct {
	what, shown string
	size        int
	args        func(m *meter, n int) (string, error)
}

var growths = []growing{
	{"words of N reviews", "sotto rewrite -e 10 --field text REVIEWS", 6_000, func(m *meter, n int) (string, error) {
		in, err := m.first(m.imdb(), n)
		return "rewrite -q -e 10 --field text -o OUT.tsv " + in, err
	}},
	{"words of one text of N bytes", "sotto rewrite -e 10 --format text TEXT", 4 << 20, func(m *meter, n int) (string, error) {
		in, err := m.repeated("words", "the printer of the office was out of order and nobody called us back in time ", n)
		return "rewrite -q -e 10 -o OUT.txt " + in, err
	}},
	{"marks of N notes, within their types", "sotto rewrite -e 6 --typed --spans SPANS NOTES", 7_500, func(m *meter, n int) (string, error) {
		notes, spans, err := m.markedNotes(n / 30)
		return "rewrite -q -e 6 --typed --spans " + spans + " -o OUT.txt " + notes, err
	}},
	{"patterns in one text of N bytes", "sotto rewrite -e 6 --typed --mark-patterns TEXT", 1 << 18, func(m *meter, n int) (string, error) {
		in, err := m.repeated("shapes", "$1 a@b.example on 2024-03-17 ", n)
		return "rewrite -q -e 6 --typed --mark-patterns -o OUT.txt " + in, err
	}},
	{"N whole texts", "sotto rewrite --unit text -e 4 --field text -o OUT NEWS", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		return "rewrite -q --unit text -e 4 --field text -o OUT.tsv " + in, err
	}},
	{"a corpus of N texts", "sotto corpus build --public --field text -o OUT NEWS", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		return "corpus build --public --field text -o OUT.corpus " + in, err
	}},
	{"1,000 whole texts over a corpus of N", "sotto rewrite --unit text -e 4 --corpus CORPUS --field text -o OUT NEWS", 3_900, func(m *meter, n int) (string, error) {
		from, err := m.first(m.news(), n)
		if err != nil {
			return "", err
		}
		corpus := from + ".corpus"
		if _, err := m.sotto("corpus", "build", "--public", "--field", "text", "-o", corpus, from); err != nil {
			return "", err
		}
		in, err := m.first(m.news(), 1000)
		return "rewrite -q --unit text -e 4 --corpus " + corpus + " --field text -o OUT.tsv " + in, err
	}},
	{"vectors of N texts", "sotto embed -e 4 --field text -o OUT.npy NEWS", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		return "embed -q -e 4 --field text -o OUT.npy " + in, err
	}},
	{"a private corpus of N texts", "sotto synthesize -e 4 --field text -o OUT NEWS", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		return "synthesize -q -e 4 --field text -o OUT.tsv " + in, err
	}},
	{"a classifier of N releases", "sotto learn --report REPORT --field text --label label -o OUT RELEASE", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		if err != nil {
			return "", err
		}
		report, release := in+".json", in+".release.tsv"
		_, err = m.sotto("rewrite", "-q", "--unit", "text", "-e", "4", "--field", "text", "--report", report, "-o", release, in)
		return "learn --report " + report + " --field text --label label -o OUT.json " + release, err
	}},
	{"a language model of N texts", "sotto train language-model --public --corpus NEWS -o OUT", 3_900, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		return "train language-model --public --field text --corpus " + in + " -o OUT.lm", err
	}},
	{"an attack on N texts", "sotto attack -m neighbours -e 8 --public --texts NEWS --field text --corpus MODEL", 100, func(m *meter, n int) (string, error) {
		in, err := m.first(m.news(), n)
		if err != nil {
			return "", err
		}
		model := filepath.Join(m.work, "model.txt")
		return "attack -m neighbours -e 8 --public --field text --texts " + in + " --corpus " + model, textsAfter(m.news(), model, 4608)
	}},
	{"a table of N words", "sotto embeddings import VECTORS", 12_500, func(m *meter, n int) (string, error) {
		in := filepath.Join(m.work, fmt.Sprint("vectors", n, ".txt"))
		return "embeddings import --name growing " + in, firstLines(filepath.Join(m.data, "embeddings", "glove.6B.100d.50k.txt.gz"), in, n)
	}},
	{"a certificate of all pairs of N words", "sotto audit exponential -e 4 --words N", 2_500, func(_ *meter, n int) (string, error) {
		return fmt.Sprint("audit exponential -e 4 --words ", n), nil
	}},
}

// growth measures how processor time grows. The last column has no start in it: for time in
// proportion to the size it is 2, for n log n a little more, and for n^2 it is 4.
func growth(m *meter) ([][]string, error) {
	var jobs []job
	for _, g := range growths {
		for times := 1; times <= 4; times *= 2 {
			args, err := g.args(m, g.size*times)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", g.what, err)
			}
			name := fmt.Sprintf("Growth/%s/%dx", strings.ReplaceAll(g.what, " ", "_"), times)
			jobs = append(jobs, job{name, strings.Fields(strings.ReplaceAll(args, "OUT", filepath.Join(m.work, "out")))})
		}
	}
	costs, err := m.inTurns(jobs)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for i, g := range growths {
		one, two, four := costs[3*i].processor, costs[3*i+1].processor, costs[3*i+2].processor
		rows = append(rows, []string{g.what, "`" + g.shown + "`", number(float64(g.size)), number(one), number(two), number(four), fmt.Sprintf("%.1f", (four-two)/(two-one))})
	}
	return rows, nil
}

func (m *meter) news() string { return filepath.Join(m.data, "ag-news", "train.tsv.gz") }

// first returns a file of the first texts of a TSV.
func (m *meter) first(from string, n int) (string, error) {
	to := filepath.Join(m.work, fmt.Sprintf("%s%d.tsv", filepath.Base(filepath.Dir(from)), n))
	return to, firstLines(from, to, n+1)
}

// repeated returns a file of one line of about n bytes.
func (m *meter) repeated(name, words string, n int) (string, error) {
	to := filepath.Join(m.work, fmt.Sprintf("%s%d.txt", name, n))
	return to, os.WriteFile(to, append(bytes.Repeat([]byte(words), n/len(words)), '\n'), 0o600)
}

// markedNotes returns files of the marked notes of the repository, many times, and of their marks.
func (m *meter) markedNotes(times int) (notes, spans string, err error) {
	for name, to := range map[string]*string{"notes.txt": &notes, "notes.spans.jsonl": &spans} {
		data, err := os.ReadFile("testdata/marks/" + name)
		if err != nil {
			return "", "", err
		}
		*to = filepath.Join(m.work, fmt.Sprint(times, name))
		if err := os.WriteFile(*to, bytes.Repeat(data, times), 0o600); err != nil {
			return "", "", err
		}
	}
	return notes, spans, nil
}
