package directions

import (
	"testing"

	"github.com/sotto-dp/sotto/embedding/builtin"
)

// The map of 20,000 words of 100 dimensions to 50 components.
func BenchmarkNewWhitening(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	weights := Weights(table)
	for b.Loop() {
		if _, err := NewWhitening(b.Context(), table, 50, weights); err != nil {
			b.Fatal(err)
		}
	}
}

// The constants of 16,384 directions of 50 components, of sets of 1,000.
func BenchmarkMeasure(b *testing.B) {
	book := NewCodebook(50, 16384, 1)
	for b.Loop() {
		book.Measure(1000, 0.5, 2)
	}
}
