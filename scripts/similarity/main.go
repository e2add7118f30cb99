// Similarity compares tables of word vectors by WordNet: it prints, for each table,
// Spearman's correlation of the cosine of two nouns' vectors with the path similarity
// of the nouns.
//
//	go run ./scripts/similarity -wordnet DIR [-words N] TABLE...
//
// DIR holds the files of WordNet 3.0 (/usr/share/wordnet of Debian's wordnet-base). The
// nouns are the N that WordNet's texts use most among those of all tables. Each is
// paired with its five nearest by path and with ten at random. Nouns are split into two
// halves, development and test, and both nouns of a pair are in the same half.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
)

const (
	near   = 5
	random = 10
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("similarity: ")
	folder := flag.String("wordnet", "/usr/share/wordnet", "folder of WordNet's files")
	words := flag.Int("words", 2000, "nouns")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*folder, *words, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func run(folder string, words int, files []string) error {
	w, err := readNouns(folder)
	if err != nil {
		return err
	}
	var tables []*embedding.Table
	for _, file := range files {
		t, err := embedding.Open(file)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	list := w.frequent(words, func(noun string) bool {
		return !slices.ContainsFunc(tables, func(t *embedding.Table) bool { _, ok := t.Lookup(noun); return !ok })
	})
	if len(list) < 4*near {
		return fmt.Errorf("%d nouns are in all tables, want %d", len(list), 4*near)
	}
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	dev, test := pairsOf(w, list[:len(list)/2]), pairsOf(w, list[len(list)/2:])
	fmt.Printf("%d nouns, %d pairs for development and %d for test\n", len(list), len(dev), len(test))
	for i, t := range tables {
		fmt.Printf("%s\tdevelopment %.4f\ttest %.4f\n", files[i], correlation(t, dev), correlation(t, test))
	}
	return nil
}

type pair struct {
	a, b string
	path float64
}

// pairsOf returns the pairs of some nouns, each pair once.
func pairsOf(w *nouns, list []string) (pairs []pair) {
	above := make([]map[int]int, len(list))
	for i, noun := range list {
		above[i] = w.ancestors(noun)
	}
	rng := rand.New(rand.NewPCG(2, 0))
	seen := map[[2]int]bool{}
	for i := range list {
		paths, order := make([]float64, len(list)), rng.Perm(len(list))
		for j := range list {
			paths[j] = pathSimilarity(above[i], above[j])
		}
		chosen := slices.Clone(order[:min(random, len(order))])
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(paths[b], paths[a]) })
		for _, j := range append(chosen, order[:min(near+1, len(order))]...) {
			if at := [2]int{min(i, j), max(i, j)}; i != j && !seen[at] {
				seen[at] = true
				pairs = append(pairs, pair{list[i], list[j], paths[j]})
			}
		}
	}
	return pairs
}

func correlation(t *embedding.Table, pairs []pair) float64 {
	cosines, paths := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		cosines[i], paths[i] = cosine(t, p.a, p.b), p.path
	}
	return pearson(ranks(cosines), ranks(paths))
}

func cosine(t *embedding.Table, a, b string) float64 {
	i, _ := t.Lookup(a)
	j, _ := t.Lookup(b)
	x, y := t.Vector(nil, i), t.Vector(nil, j)
	xy, xx, yy := 0.0, 0.0, 0.0
	for k := range x {
		xy += float64(x[k]) * float64(y[k])
		xx += float64(x[k]) * float64(x[k])
		yy += float64(y[k]) * float64(y[k])
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// ranks returns the rank of each value; equal values share their mean rank.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, at := range order[i:j] {
			out[at] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}

func pearson(x, y []float64) float64 {
	n, sx, sy := float64(len(x)), 0.0, 0.0
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
	}
	xy, xx, yy := 0.0, 0.0, 0.0
	for i := range x {
		a, b := x[i]-sx/n, y[i]-sy/n
		xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
	}
	return xy / math.Sqrt(xx*yy)
}
