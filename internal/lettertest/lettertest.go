// Package lettertest makes the small tables and models of letters that tests share.
package lettertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
)

// Table returns a table of n one-letter words on a line.
func Table(t testing.TB, n int) *embedding.Table {
	t.Helper()
	s := embedding.Source{Dim: 2}
	for i := range n {
		s.Words = append(s.Words, string(rune('a'+i)))
		s.Vectors = append(s.Vectors, float32(i), float32(i%3))
	}
	table, err := embedding.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Model returns a model of sentences of up to five words.
func Model(t testing.TB) *autoencoder.Model {
	t.Helper()
	var texts [][]byte
	for i := range 200 {
		texts = append(texts, []byte(strings.Repeat(fmt.Sprintf("w%c ", 'a'+i%4), 1+i%5)))
	}
	m, err := autoencoder.Train(t.Context(), texts, autoencoder.Lesson{Options: autoencoder.Options{
		Embed: 6, Hidden: 16, Latent: 6, Tokens: 6, Epochs: 12, Batch: 8, Rate: 0.01, Dropout: -1, WordDropout: -1, Swap: -1,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
