package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The most texts of a set.
const (
	mostPublic  = 10_000
	mostPrivate = 4_600
	mostTest    = 2_000
)

// shown is the number of private texts and copies that the page shows.
const shown = 10

// prepare writes the parts of a set: its public half, its private texts and its test texts,
// and a classifier of clear public texts, which says whether a copy has the
// topic of its text.
func (b *bench) prepare(s set) error {
	train, err := b.read(s, "train")
	if err != nil {
		return err
	}
	test, err := b.read(s, "test")
	if err != nil {
		return err
	}
	rand.New(rand.NewPCG(41, 1)).Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
	rand.New(rand.NewPCG(41, 2)).Shuffle(len(test), func(i, j int) { test[i], test[j] = test[j], test[i] })
	half := len(train) / 2
	public, private := train[:min(half, mostPublic)], train[half:]
	private, test = private[:min(len(private), mostPrivate)], test[:min(len(test), mostTest)]
	for name, rows := range map[string][]string{"public": public, "private": private, "test": test} {
		if err := os.WriteFile(filepath.Join(b.dir, s.name+"."+name+".tsv"), []byte("label\ttext\n"+strings.Join(rows, "\n")+"\n"), 0o600); err != nil {
			return err
		}
	}
	return b.sotto(nil, "learn", "--field", "text", "--label", "label", "--corpus", "english", "-o", s.name+".model", s.name+".public.tsv")
}

// read returns the lines of a part, without the header.
func (b *bench) read(s set, part string) ([]string, error) {
	f, err := os.Open(filepath.Join(b.data, s.name, part+".tsv.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var lines []string
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		label, text, _ := strings.Cut(in.Text(), "\t")
		lines = append(lines, cmp.Or(opinions[label], label)+"\t"+text)
	}
	if len(lines) < 2 {
		return nil, fmt.Errorf("%s: it has no rows", f.Name())
	}
	return lines[1:], in.Err()
}

// sample returns the first private texts with what was released for them.
func (b *bench) sample(s set) (pairs []string, err error) {
	var parts [2][]string
	for i, name := range []string{s.name + ".private.tsv", "released.tsv"} {
		data, err := os.ReadFile(filepath.Join(b.dir, name))
		if err != nil {
			return nil, err
		}
		for _, line := range strings.SplitN(string(data), "\n", shown+2)[1 : shown+1] {
			_, text, _ := strings.Cut(line, "\t")
			parts[i] = append(parts[i], strings.Trim(text, "\""))
		}
	}
	for i := range parts[0] {
		pairs = append(pairs, parts[0][i]+"\t"+parts[1][i])
	}
	return pairs, nil
}
