package embedding

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/tabledamage"
)

// opened returns the tables of a file by Open and by OpenWords.
func opened(t *testing.T, path string) (held, words *Table) {
	t.Helper()
	held, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if words, err = OpenWords(path); err != nil {
		t.Fatal(err)
	}
	return held, words
}

func TestTableOpenedForItsWordsKeepsNoVectors(t *testing.T) {
	path, _, _ := written(t, 60, 5)
	held, words := opened(t, path)
	if words.vectors.held.wide != nil || words.Digest() != held.Digest() || words.Word(59) != held.Word(59) || words.Unknown() != held.Unknown() {
		t.Fatal("the table has vectors, or is another one")
	}
	if err := os.Remove(path); err != nil { // nothing below reads the file
		t.Fatal(err)
	}
	if id, ok := words.Lookup(held.Word(7)); !ok || id != 7 || words.Digest() != held.Digest() {
		t.Error("a word or the digest is gone with the file")
	}
}

// More values than a block, so that there is a whole one and a part.
func TestVectorsAreReadWhenTheyAreUsed(t *testing.T) {
	path, _, _ := written(t, 130, 128)
	for name, use := range map[string]func(t *Table) any{
		"vectors":     func(t *Table) any { return t.Vector(nil, 129) },
		"steps":       func(t *Table) any { return t.Steps(nil, 129)[127] },
		"distances":   func(t *Table) any { return t.SquaredDistance(3, 129) },
		"the largest": func(t *Table) any { return t.Largest() },
		"a part":      func(t *Table) any { return must(t.First(50)).Digest() },
		"every third": func(t *Table) any { return must(t.Every(3)).Digest() },
		"without a word": func(t *Table) any {
			return must(t.Without(must(ReadWordList(strings.NewReader(t.Word(3)))))).Digest()
		},
		"all": func(t *Table) any { return t.hash() },
	} {
		held, words := opened(t, path)
		a, b := use(held), use(words)
		if x, ok := a.([]float32); ok && slices.Equal(x, b.([]float32)) {
			continue
		} else if ok || a != b {
			t.Errorf("%s: %v, want %v", name, b, a)
		}
	}
}

func TestNarrowComponentsAreTheSteps(t *testing.T) {
	vectors := []int8{1, -2, 127, -128, 0, 5}
	narrow := must(NewNarrow(Narrow{Name: "n", Words: []string{"a", "b", "<unk>"}, Dim: 2, Grid: slices.Clone(vectors), Step: 0.5}))
	var steps []int64
	for id := range 3 {
		steps = narrow.Steps(steps, ID(id))
	}
	for i, x := range narrow.NarrowGrid() {
		if int64(x) != steps[i] {
			t.Errorf("component %d is %d, want %d", i, x, steps[i])
		}
	}
	path, _, _ := written(t, 60, 5)
	if wide, _ := opened(t, path); len(narrow.NarrowGrid()) != len(vectors) || wide.NarrowGrid() != nil {
		t.Errorf("%d components of a narrow table; of a wide one: %v", len(narrow.NarrowGrid()), wide.NarrowGrid() != nil)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// What is relied on is verified when it is relied on: at the first reading and at the second.
func TestTableOpenedForItsWordsVerifiesItsVectors(t *testing.T) {
	path, good, at := written(t, 130, 128)
	_, other, _ := written(t, 129, 128)
	bad := slices.Clone(good)
	bad[len(bad)-1] ^= 1 // of the last component, in the part after the whole blocks
	shorter := slices.Clone(good)
	if err := tabledamage.Shorten(shorter); err != nil {
		t.Fatal(err)
	}
	word := slices.Clone(good)
	word[fileHeader] = 'q'
	for name, data := range map[string][]byte{"a component": bad, "shorter vectors": shorter, "a word": word, "cut off": good[:at+5], "another table": other, "no table": []byte("a 1 2\n")} {
		put := func(data []byte) {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put(data)
		if _, err := OpenWords(path); err == nil && name != "another table" && name != "no table" {
			t.Errorf("%s: the table is opened", name)
		}
		put(good)
		words, err := OpenWords(path)
		if err != nil {
			t.Fatal(err)
		}
		put(data)
		err = words.Hold()
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with the file", name, err)
		}
		if _, err := words.First(3); err == nil {
			t.Errorf("%s: a part of the table is made", name)
		}
		if words.vectors.held.wide != nil {
			t.Errorf("%s: there are vectors", name)
		}
	}
}
