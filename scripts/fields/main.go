// Command fields measures corpora of fields on public data sets that they were not made
// for, and writes the tables of docs/results/fields.md.
//
//	go run ./scripts/fields -data ../shared/data        # measures what docs/results/fields.jsonl lacks
//	go run ./scripts/fields -page                       # writes the tables alone
//
// It runs the program as a user would. A row belongs to the digest of its corpus: after a
// corpus has changed, its rows are measured again. Rows of a set: half of its training texts
// (10,000 at most) are a public corpus of its own, up to 4,600 of the others are private, and
// up to 2,000 of its test texts measure what was learnt.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "../shared/data", "folder of the data sets")
	only := flag.String("corpus", "", "measure these corpora alone, separated by commas")
	onlySet := flag.String("set", "", "measure this set alone")
	program := flag.String("program", "", "the program to run (default: built from cmd/sotto)")
	page := flag.Bool("page", false, "write the tables from the rows that are there")
	folder := flag.String("docs", "docs/results", "folder of fields.md and fields.jsonl")
	flag.Parse()
	rows, err := readRows(filepath.Join(*folder, "fields.jsonl"))
	if err == nil && !*page {
		var b *bench
		if b, err = newBench(*data, *program, filepath.Join(*folder, "fields.jsonl"), rows); err == nil {
			if err = b.all(*onlySet, *only); err == nil && (*onlySet == "" || *onlySet == invented) {
				err = b.showInvented(*only)
			}
			rows = b.rows
			os.RemoveAll(b.dir)
		}
	}
	if err == nil {
		err = writePage(filepath.Join(*folder, "fields.md"), rows)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// all measures what is missing: the first seed of every set, then the others, so that a run
// that is ended early has something of each.
func (b *bench) all(onlySet, only string) error {
	some := slices.DeleteFunc(slices.Clone(sets), func(s set) bool { return onlySet != "" && s.name != onlySet })
	for _, s := range some {
		if err := b.prepare(s); err != nil {
			return err
		}
	}
	for seed := range seeds {
		for _, s := range some {
			for _, name := range s.corpora() {
				if only != "" && !slices.Contains(strings.Split(only, ","), name) {
					continue
				}
				if err := b.corpus(s, name, seed+1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// corpus measures a set over a corpus with one seed.
func (b *bench) corpus(s set, name string, seed int) error {
	file := name
	switch name {
	case s.along():
		file = s.field
	case own:
		file = s.name + ".corpus"
		if _, err := os.Stat(filepath.Join(b.dir, file)); err != nil {
			if err := b.sotto(nil, "corpus", "build", "--public", "--field", "text", "-o", file, s.name+".public.tsv"); err != nil {
				return err
			}
		}
	}
	var info struct {
		SHA256 string `json:"sha256"`
		Texts  int    `json:"texts"`
	}
	if err := b.sotto(&info, "corpus", "info", "--json", file); err != nil {
		return err
	}
	similarity := 0.0
	for _, w := range ways {
		key := row{Set: s.name, Corpus: name, Way: w.name, Epsilon: w.epsilon, Seed: seed, SHA256: info.SHA256}
		if !s.measured(name, w, seed) || slices.ContainsFunc(b.rows, key.sameAs) {
			continue
		}
		r, err := b.measure(s, file, key)
		if err != nil {
			return err
		}
		if similarity == 0 {
			if similarity, err = b.similarity(s, file); err != nil {
				return err
			}
		}
		r.Texts, r.Similarity = info.Texts, similarity
		log.Printf("%s over %s, %s at %g, seed %d: %.3f", r.Set, r.Corpus, r.Way, r.Epsilon, r.Seed, r.Accuracy)
		// Rows of earlier forms of the corpus go.
		b.rows = slices.DeleteFunc(b.rows, func(o row) bool { return o.Set == r.Set && o.Corpus == r.Corpus && o.SHA256 != r.SHA256 })
		b.rows = append(b.rows, r)
		if err := writeRows(b.file, b.rows); err != nil {
			return err
		}
	}
	return nil
}

// measure releases the private texts of a set once and learns from the release.
func (b *bench) measure(s set, corpus string, r row) (row, error) {
	epsilon, seed := strconv.FormatFloat(r.Epsilon, 'g', -1, 64), strconv.Itoa(r.Seed)
	args := []string{"rewrite", "--unit", "text"}
	learn := []string{"learn", "--corpus", corpus, "--field", "text", "--label", "label", "--test", s.name + ".test.tsv", "--json"}
	if r.Way == "synthesize" {
		args = []string{"synthesize", "--by", "label", "--labels", s.labels}
	}
	if r.Corpus == s.along() {
		learn = append(learn, "--about", s.about)
		if r.Way == "synthesize" {
			args = append(args, "--about", s.about)
		}
	}
	var learnt, kept struct {
		Accuracy float64 `json:"accuracy"`
		Known    float64 `json:"public_knowledge"`
	}
	if r.Way == none.name {
		err := b.sotto(&learnt, append(learn, s.name+".private.tsv")...)
		r.Accuracy = learnt.Accuracy
		return r, err
	}
	args = append(args, "--quiet", "--corpus", corpus, "-e", epsilon, "--field", "text", "--insecure-seed", seed, "--report", "report.json", "-o", "released.tsv", s.name+".private.tsv")
	if err := b.sotto(nil, args...); err != nil {
		return r, err
	}
	if err := b.sotto(&learnt, append(learn, "--report", "report.json", "released.tsv")...); err != nil {
		return r, err
	}
	r.Accuracy, r.Known = learnt.Accuracy, learnt.Known
	if r.Way == "whole" {
		if err := b.sotto(&kept, "learn", "--model", s.name+".model", "--field", "text", "--label", "label", "--json", "released.tsv"); err != nil {
			return r, err
		}
		r.Kept = kept.Accuracy
		if r.Seed == 1 && r.Corpus == s.field && r.Epsilon >= 4 { // the copies that the page shows
			var err error
			if r.Sample, err = b.sample(s); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// similarity compares the test texts with a corpus.
func (b *bench) similarity(s set, corpus string) (float64, error) {
	var found struct {
		Corpora []struct {
			Similarity float64 `json:"similarity"`
		} `json:"corpora"`
	}
	err := b.sotto(&found, "corpus", "suggest", "--public", "--texts", s.name+".test.tsv", "--field", "text", "--corpus", corpus, "--json")
	if err != nil || len(found.Corpora) != 1 {
		return 0, fmt.Errorf("corpus suggest: %w", cmp.Or(err, fmt.Errorf("%d corpora", len(found.Corpora))))
	}
	return found.Corpora[0].Similarity, nil
}
