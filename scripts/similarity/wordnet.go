package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// nouns holds WordNet's nouns: synsets by offset, and the hypernyms of each.
type nouns struct {
	senses map[string][]int // of a lemma
	above  map[int][]int
	uses   map[string]int // in the sense-tagged texts, all senses together
}

func readNouns(folder string) (*nouns, error) {
	w := &nouns{senses: map[string][]int{}, above: map[int][]int{}, uses: map[string]int{}}
	err := eachLine(filepath.Join(folder, "index.noun"), func(f []string) error {
		// lemma pos senses pointers POINTER... senses tagged OFFSET...
		pointers, err := strconv.Atoi(f[3])
		if err != nil {
			return err
		}
		for _, offset := range f[6+pointers:] {
			at, err := strconv.Atoi(offset)
			if err != nil {
				return err
			}
			w.senses[f[0]] = append(w.senses[f[0]], at)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachLine(filepath.Join(folder, "data.noun"), func(f []string) error {
		// OFFSET file pos words(hex) WORD id ... pointers SYMBOL OFFSET pos place ...
		at, err := strconv.Atoi(f[0])
		if err != nil {
			return err
		}
		words, err := strconv.ParseInt(f[3], 16, 0)
		if err != nil {
			return err
		}
		pointers := f[4+2*words+1:]
		for ; len(pointers) >= 4 && pointers[0] != "|"; pointers = pointers[4:] {
			if pointers[0] == "@" || pointers[0] == "@i" {
				to, err := strconv.Atoi(pointers[1])
				if err != nil {
					return err
				}
				w.above[at] = append(w.above[at], to)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, eachLine(filepath.Join(folder, "cntlist.rev"), func(f []string) error {
		// lemma%type:... sense uses
		lemma, key, _ := strings.Cut(f[0], "%")
		if key[0] == '1' {
			n, err := strconv.Atoi(f[2])
			w.uses[lemma] += n
			return err
		}
		return nil
	})
}

func eachLine(path string, take func(fields []string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if line := lines.Text(); !strings.HasPrefix(line, " ") { // those of the licence do
			if err := take(strings.Fields(line)); err != nil {
				return fmt.Errorf("%s: line %d: %w", path, n, err)
			}
		}
	}
	return lines.Err()
}

// frequent returns the n nouns that are tagged most often and pass keep.
func (w *nouns) frequent(n int, keep func(string) bool) []string {
	var list []string
	for lemma := range w.uses {
		if len(w.senses[lemma]) > 0 && keep(lemma) {
			list = append(list, lemma)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(w.uses[b], w.uses[a]), strings.Compare(a, b)) })
	return list[:min(n, len(list))]
}

// ancestors returns the number of steps from the nearest sense of a noun to each synset
// above.
func (w *nouns) ancestors(lemma string) map[int]int {
	steps := map[int]int{}
	queue := slices.Clone(w.senses[lemma])
	for _, at := range queue {
		steps[at] = 0
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, up := range w.above[at] {
			if _, ok := steps[up]; !ok {
				steps[up] = steps[at] + 1
				queue = append(queue, up)
			}
		}
	}
	return steps
}

// pathSimilarity is 1/(1+n), n the least number of steps between two nouns by way of a
// common ancestor (Rada, Mili, Bicknell and Blettner 1989).
func pathSimilarity(a, b map[int]int) float64 {
	best := 0.0
	for at, n := range a {
		if m, ok := b[at]; ok {
			best = max(best, 1/float64(1+n+m))
		}
	}
	return best
}
