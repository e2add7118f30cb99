package packing_test

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/packing"
)

// A channel is compiled once for a public table and an epsilon, and stored as a file.
func ExampleCompile() {
	table, err := embedding.New(embedding.Source{
		Name: "fruit", Words: []string{"apple", "pear", "plum", "fig"}, Dim: 1, Vectors: []float32{0, 1, 2, 3},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := packing.Compile(context.Background(), "packing", table, 1, packing.Effort{})
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := packing.Read(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Name())
	// Output: packing
}
