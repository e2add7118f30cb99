package codes

import (
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/noise"
)

func BenchmarkDrawAndNearest(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	c, err := New(b.Context(), table, 256, 1)
	if err != nil {
		b.Fatal(err)
	}
	r, src, noisy := NewResponse(0.5), noise.Secure(), make([]uint64, AtOnce*c.Words())
	var nearest []embedding.ID
	for b.Loop() {
		for i := range AtOnce {
			r.Draw(noisy[i*c.Words():][:c.Words()], c.Row(7), 256, src)
		}
		nearest = c.Nearest(nearest[:0], noisy)
	}
}

func BenchmarkNew(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := New(b.Context(), table, 256, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiameter(b *testing.B) {
	table, err := builtin.English()
	if err != nil {
		b.Fatal(err)
	}
	c, err := New(b.Context(), table, 256, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Diameter(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
