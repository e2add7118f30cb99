package unit

import (
	"context"

	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// encodedBatch stores one grid vector per text, and nothing else of it.
type encodedBatch struct {
	release.Whole
	unit    *Vectors
	at      release.Position
	grid    []int8
	counts  statement.Counts
	content statement.Content
}

// encoded reads whole texts by the encoding.
func (v *Vectors) encoded(t release.Texts, at release.Position) *encodedBatch {
	b := &encodedBatch{unit: v, at: at}
	for range v.Encoding.texts(t) {
		b.counts.Count(0, 0, 1, 1)
	}
	b.grid, b.content = v.Encoding.read(nil, t)
	return b
}

func (b *encodedBatch) Counted() (statement.Counts, statement.Content) { return b.counts, b.content }

// Length returns 1: a draw costs the same for every text.
func (b *encodedBatch) Length(int) int { return 1 }

func (b *encodedBatch) Draw(ctx context.Context) (release.Drawn, error) {
	s := b.unit.memory()
	defer b.unit.scratch.Put(s)
	s.clear = appendGrid(s.clear, b.grid)
	for range b.counts.Documents {
		s.rows = append(s.rows, 1)
	}
	return b.unit.draw(ctx, s, b.at)
}

// appendGrid appends the components of grid vectors, which are exact as float32.
func appendGrid(dst []float32, grid []int8) []float32 {
	for _, x := range grid {
		dst = append(dst, float32(x))
	}
	return dst
}
