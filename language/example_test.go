package language_test

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
)

// A model of two public texts finds a word order that it has seen likelier than another.
func ExampleTrain() {
	table, err := embedding.New(embedding.Source{
		Name: "example", Words: []string{"show", "early", "flights", "<unk>"}, Dim: 1, Vectors: []float32{0, 1, 2, 3},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	texts := func(yield func([]embedding.ID, error) bool) {
		_ = yield([]embedding.ID{0, 1, 2}, nil) && yield([]embedding.ID{0, 2}, nil)
	}
	m, err := language.Train(context.Background(), table, texts, language.Options{Order: 2, Public: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Log([]embedding.ID{0, 1, 2}) > m.Log([]embedding.ID{2, 1, 0}))
	// Output: true
}
