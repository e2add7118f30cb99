package main

import (
	"math"
	"testing"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/embedding/model2vec"
)

// TestFolderEncodesAsItsTable writes a folder and compares vectors of texts of a corpus with
// the means of the table's vectors.
func TestFolderEncodesAsItsTable(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, 3000); err != nil {
		t.Fatal(err)
	}
	table, err := model2vec.Read(dir, "folder")
	if err != nil {
		t.Fatal(err)
	}
	b, err := corpus.NewBuilder(corpus.Options{Name: "own", Public: true, Encoder: corpus.SIF, Table: table, Clusters: -1})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"The phone was lost, in the city.", "He said that the game was over", "The new film of the year!", "zzzzzqqq"}
	for _, text := range texts {
		if err := b.Add([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := c.Encoder(table)
	if err != nil {
		t.Fatal(err)
	}
	sentences, err := builtin.Sentences()
	if err != nil {
		t.Fatal(err)
	}
	mean := encoder.Mean()
	for text, words := range map[string][]string{texts[0]: {"the", "phone", "was", "lost", ",", "in", "the", "city", "."}, texts[2]: {"the", "new", "film", "of", "the", "year", "!"}} {
		want := make([]float64, len(mean))
		for _, word := range words {
			id, ok := sentences.Lookup(word)
			if _, whole := table.Lookup(word); !ok || !whole {
				t.Fatalf("no %q", word)
			}
			for k, x := range sentences.Vector(nil, id) {
				want[k] += float64(x)
			}
		}
		scale(want, 1)
		for k := range want {
			want[k] -= mean[k]
		}
		product, left, right := 0.0, 0.0, 0.0
		grid := corpus.Quantize(nil, want)
		for k, x := range encoder.Encode(nil, []byte(text)) {
			product, left, right = product+float64(x)*float64(grid[k]), left+float64(x)*float64(x), right+float64(grid[k])*float64(grid[k])
		}
		if cosine := product / math.Sqrt(left*right); cosine < 0.999 {
			t.Errorf("%q: cosine %g with the mean of its words", text, cosine)
		}
	}
}

func scale(v []float64, length float64) {
	square := 0.0
	for _, x := range v {
		square += x * x
	}
	for k := range v {
		v[k] *= length / math.Sqrt(square)
	}
}
