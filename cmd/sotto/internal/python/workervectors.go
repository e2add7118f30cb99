package python

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/release"
)

// mostKnown bounds the texts of a corpus with which the client's encoder is compared.
const mostKnown = 8

// known are texts of the corpus with their vectors on the grid, for the client to compare with
// those of its encoder. The corpus is public.
func (s *session) known() any {
	n := min(mostKnown, s.book.Len())
	texts, vectors := make([]string, n), make([][]int, n)
	for i := range n {
		at := i * s.book.Len() / n
		texts[i] = s.book.Text(at)
		for _, x := range s.book.Vector(nil, at) {
			vectors[i] = append(vectors[i], int(x))
		}
	}
	return map[string]any{"components": s.brought, "texts": texts, "vectors": vectors}
}

// vectors returns those that came in place of texts, as little-endian float32; zero for an
// empty one, of which nothing is drawn.
func (s *session) vectors(texts [][]byte) ([][]float64, error) {
	if s.brought == 0 {
		return nil, nil
	}
	vectors := make([][]float64, len(texts))
	for i, t := range texts {
		if len(t) != 0 && len(t) != 4*s.brought {
			return nil, cli.WrongUsage("", "the encoder must return %d components per text, as the corpus has, got %d", s.brought, len(t)/4)
		}
		vectors[i] = make([]float64, s.brought)
		for k := range len(t) / 4 {
			vectors[i][k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(t[4*k:])))
		}
	}
	return vectors, nil
}

// drawVectors draws for texts, or for the vectors that came in place of them, of which those from a
// number on are of these texts.
func (s *session) drawVectors(ctx context.Context, texts [][]byte, clear [][]float64, at sotto.Position, from int) ([]release.Vectors, sotto.Counts, error) {
	if s.brought > 0 {
		return s.embedder.EmbedVectors(ctx, clear[from:from+len(texts)], at)
	}
	return s.embedder.EmbedAll(ctx, texts, at)
}
