package mechanism_test

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// A mechanism is opened over a public table, and says what it promises before it reads a
// word.
func Example() {
	table, err := embedding.New(embedding.Source{
		Name: "fruit", Words: []string{"apple", "pear", "plum", "fig"}, Dim: 1, Vectors: []float32{0, 1, 2, 3},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, _ := catalog.Find("response")
	m, err := entry.New(context.Background(), table, mechanism.Spec{Epsilon: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Claim())
	private, err := m.Replace(nil, []embedding.ID{0, 1}, nil) // nil is the secure source
	fmt.Println(len(private), err)
	// Output:
	// (epsilon = 1)-differential privacy for each token
	// 2 <nil>
}
