//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
)

// once measures work that is done once per table and setting, each in one run without
// calibrations of earlier runs.
func once(m *meter) ([][]string, error) {
	vectors := filepath.Join(m.data, "embeddings")
	line, out := filepath.Join(m.work, "line.txt"), filepath.Join(m.work, "out")
	if err := os.WriteFile(line, []byte("the doctor was late\n"), 0o600); err != nil {
		return nil, err
	}
	commands := []struct{ what, shown, args string }{
		{"start to first output, one line", "sotto rewrite -m tem -e 3", "rewrite -m tem -e 3 -q -o " + out + " " + line},
		{"start to first output of a whole text", "sotto rewrite --unit text -e 4", "rewrite --unit text -e 4 -q -o " + out + " " + line},
		{"import of 50,000 words of 100 dimensions", "sotto embeddings import glove.6B.100d.50k.txt.gz", "embeddings import --name glove " + filepath.Join(vectors, "glove.6B.100d.50k.txt.gz")},
		{"import of 20,000 words of 300 dimensions", "sotto embeddings import fasttext.reviews.300d.20k.txt.gz", "embeddings import --name fasttext " + filepath.Join(vectors, "fasttext.reviews.300d.20k.txt.gz")},
		{"calibration, 20,000 words of 100 dimensions", "sotto rewrite -m tem -e 2 --words 20000 --embeddings glove", "rewrite -m tem -e 2 --words 20000 --embeddings glove -q -o " + out + " " + line},
		{"certificate, 50,000 words of 100 dimensions", "sotto audit tem -e 3 --calibrate published --embeddings glove", ""},
		{"certificate, 20,000 words of 300 dimensions", "sotto audit tem -e 3 --calibrate published --embeddings fasttext", ""},
		{"packing channel, 20,000 words, gap 1 %", "sotto compile -e 1.5 --gap 0.01 --time 10m --embeddings glove --words 20000 -o OUT", ""},
		{"packing channel, 20,000 words, gap 2 %", "sotto compile -e 1.25 --gap 0.02 --time 10m --embeddings glove --words 20000 -o OUT", ""},
		{"six mechanisms at eight epsilons", "sotto compare -e 1:8:1", ""},
		{"`tune` by what stays", "sotto tune -m tem --unchanged 0.5", ""},
		{"`tune` by the best guess", "sotto tune -m tem --attack 0.2", ""},
		{"`tune` by the certified loss", "sotto tune -m tem --certified 2", ""},
	}
	rounds := m.rounds
	m.rounds = 1
	defer func() { m.rounds = rounds }()
	var rows [][]string
	for _, c := range commands {
		if c.args == "" {
			c.args = strings.ReplaceAll(strings.TrimPrefix(c.shown, "sotto "), "OUT", out)
		}
		if err := os.RemoveAll(m.cache()); err != nil {
			return nil, err
		}
		name := "Once/" + strings.NewReplacer(" ", "_", "`", "", ",", "").Replace(c.what)
		costs, err := m.inTurns([]job{{name, strings.Fields(c.args)}})
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{c.what, "`" + c.shown + "`", number(costs[0].seconds), number(costs[0].processor), megabytes(costs[0].peak)})
	}
	return rows, nil
}
