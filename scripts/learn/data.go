package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text"
)

// task is one set: its texts as words of a table.
type task struct {
	name        string
	labels      []string
	train, test corpus
	distinct    []embedding.ID // of the training text
}

// corpus is texts joined: text i ends before ends[i].
type corpus struct {
	words  []embedding.ID
	ends   []int
	labels []int
}

func readTask(folder, name string, table *embedding.Table) (*task, error) {
	t := &task{name: name}
	tokenizer := text.NewTokenizer(table)
	for _, part := range []struct {
		split string
		into  *corpus
	}{{"train", &t.train}, {"test", &t.test}} {
		if err := t.read(filepath.Join(folder, name, part.split+".tsv.gz"), tokenizer, part.into); err != nil {
			return nil, err
		}
	}
	t.distinct = slices.Clone(t.train.words)
	slices.Sort(t.distinct)
	t.distinct = slices.Compact(t.distinct)
	return t, nil
}

func (t *task) read(path string, tokenizer *text.Tokenizer, into *corpus) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	lines.Scan()
	for lines.Scan() {
		label, body, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return fmt.Errorf("learn: %s: a line lacks its tab", path)
		}
		at := slices.Index(t.labels, label)
		if at < 0 {
			at = len(t.labels)
			t.labels = append(t.labels, label)
		}
		into.words, _ = tokenizer.Tokenize(into.words, []byte(body))
		into.ends = append(into.ends, len(into.words))
		into.labels = append(into.labels, at)
	}
	return lines.Err()
}

// features are one vector for each word.
type features [][]float64

func newFeatures(table *embedding.Table) features {
	f := make(features, table.Len())
	var v []float32
	for x := range f {
		v = table.Vector(v[:0], embedding.ID(x))
		for _, a := range v {
			f[x] = append(f[x], float64(a))
		}
	}
	return f
}

// averages are the mean vectors of texts.
func (f features) averages(words []embedding.ID, ends []int) [][]float64 {
	rows := make([][]float64, len(ends))
	from := 0
	for i, to := range ends {
		row := make([]float64, len(f[0]))
		for _, x := range words[from:to] {
			for k, a := range f[x] {
				row[k] += a / float64(to-from)
			}
		}
		rows[i], from = row, to
	}
	return rows
}

// standardise gives every column mean 0 and deviation 1. Rewriting draws texts
// to the table's mean, so training and test texts are each measured by
// themselves; labels have no part in it.
func standardise(rows [][]float64) {
	for k := range rows[0] {
		sum, square := 0.0, 0.0
		for _, row := range rows {
			sum += row[k]
			square += row[k] * row[k]
		}
		mean := sum / float64(len(rows))
		deviation := math.Sqrt(max(square/float64(len(rows))-mean*mean, 1e-12))
		for _, row := range rows {
			row[k] = (row[k] - mean) / deviation
		}
	}
}
