package metric

import (
	"context"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
)

func TestPerplexityIsLowestForTheTextsLearnt(t *testing.T) {
	words := []string{"a", "b", "c", "d", "e", "f", "<unk>"}
	table, err := embedding.New(embedding.Source{Name: "test", Words: words, Dim: 1, Vectors: []float32{0, 1, 2, 3, 4, 5, 6}})
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]embedding.ID{{0, 1, 2, 0, 1, 3, 3, 3}, {2, 2, 1, 0}, {4}, {0, 1, 2, 4, 1}}
	m, err := Trigram(context.Background(), table, texts)
	if err != nil {
		t.Fatal(err)
	}
	if learnt, other := Perplexity(m, texts), Perplexity(m, [][]embedding.ID{{3, 0, 4, 2}, {1, 1, 1}}); !(1 < learnt && learnt < other) {
		t.Errorf("perplexity %v of the texts learnt, %v of others", learnt, other)
	}
	if p := Perplexity(m, nil); p != 1 {
		t.Errorf("perplexity %v of no texts", p)
	}
}
