package estimate_test

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/estimate"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

// The words of a private text are counted as they came out, and the counts are
// corrected for the channel that replaced them.
func Example() {
	ctx := context.Background()
	table, err := embedding.New(embedding.Source{
		Name: "fruit", Words: []string{"apple", "pear", "plum", "fig"}, Dim: 1, Vectors: []float32{0, 1, 2, 3},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, _ := catalog.Find("response")
	m, err := entry.New(ctx, table, mechanism.Spec{Epsilon: 1})
	if err != nil {
		fmt.Println(err)
		return
	}

	// 3,000 apples and 1,000 plums. The seed makes the example repeatable; to
	// protect text, pass a nil source.
	text := append(slices.Repeat([]embedding.ID{0}, 3000), slices.Repeat([]embedding.ID{2}, 1000)...)
	private, err := m.Replace(nil, text, noise.Seeded(1, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := make([]int, table.Len())
	for _, word := range private {
		seen[word]++
	}

	estimator, err := estimate.New(ctx, m.(mechanism.Channel), table, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	counts, err := estimator.Estimate(ctx, estimate.Query{Parts: [][]int{seen}, Words: []embedding.ID{0, 1, 2, 3}, Confidence: 0.95})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range counts[0] {
		fmt.Printf("%-5s seen %4d, estimated %4.0f, between %4.0f and %4.0f\n",
			table.Word(c.Word), seen[c.Word], math.Round(c.Value), c.Low, c.High)
	}
	// Output:
	// apple seen 1546, estimated 2817, between 2622 and 3016
	// pear  seen  741, estimated  138, between  -23 and  303
	// plum  seen  974, estimated  913, between  741 and 1089
	// fig   seen  739, estimated  131, between  -30 and  296
}
