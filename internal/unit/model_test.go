package unit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// replaced is a mechanism that outputs what its source gives and reads no input: its
// output is private, whatever the text.
type replaced struct {
	dim   int
	calls *[]rand.Source
}

func (r replaced) Claim() privacy.Claim          { return privacy.Claim{} }
func (r replaced) Settings() []mechanism.Setting { return nil }
func (r replaced) Dimensions() (int, int)        { return r.dim, r.dim }

func (r replaced) Perturb(dst, _ []float32, rng rand.Source) error {
	*r.calls = append(*r.calls, rng)
	for k := range dst {
		dst[k] = float32(noise.Normal(rng))
	}
	return nil
}

// Every piece of every text is perturbed, the empty ones too, with the source of its own
// text, and only the mechanism's output reaches the decoder: texts of no word, one piece
// and all pieces give the same text under one seed.
func TestEveryPieceIsPerturbed(t *testing.T) {
	model := lettertest.Model(t)
	const pieces = 3
	var originals [][]embedding.ID
	for _, tokens := range []int{0, 1, 5, 6, 7, 12, 13, 18} {
		text := make([]embedding.ID, tokens)
		for i := range text {
			text[i] = embedding.ID((i + tokens) % 4)
		}
		originals = append(originals, text)
	}
	write := func(seedOf func(i int) uint64) ([][]embedding.ID, []rand.Source, []rand.Source) {
		var calls, given []rand.Source
		m := OfModel(Latent{Model: model, Perturber: replaced{model.Dimensions(), &calls}, Pieces: pieces, Beam: 1})
		out, err := m.draw(t.Context(), originals, func(i int) rand.Source {
			given = append(given, noise.Seeded(seedOf(i), 0))
			return given[len(given)-1]
		})
		if err != nil {
			t.Fatal(err)
		}
		return out, calls, given
	}
	same, calls, given := write(func(int) uint64 { return 5 })
	if len(calls) != pieces*len(originals) || len(given) != len(originals) {
		t.Fatalf("%d pieces were perturbed from %d sources, want %d from %d", len(calls), len(given), pieces*len(originals), len(originals))
	}
	for i, rng := range calls {
		if rng != given[i/pieces] {
			t.Errorf("piece %d of text %d was not drawn from its text's source", i%pieces, i/pieces)
		}
	}
	if len(same[0]) == 0 {
		t.Error("nothing was written: the test shows nothing")
	}
	for i, out := range same {
		if !slices.Equal(out, same[0]) {
			t.Errorf("a text of %d tokens became %v, one of none %v", len(originals[i]), out, same[0])
		}
	}
	other, _, _ := write(func(i int) uint64 { return uint64(i) })
	distinct := map[string]bool{}
	for _, out := range other {
		distinct[fmt.Sprint(out)] = true
	}
	if len(distinct) < len(originals)/2 {
		t.Errorf("from %d seeds %d texts were written: texts share a source", len(originals), len(distinct))
	}
}

func TestPiecesHoldTheWholeText(t *testing.T) {
	model := lettertest.Model(t)
	rapid.Check(t, func(t *rapid.T) {
		m := OfModel(Latent{Model: model, Pieces: rapid.IntRange(1, 5).Draw(t, "pieces")})
		text := make([]embedding.ID, rapid.IntRange(0, 32).Draw(t, "tokens"))
		for i := range text {
			text[i] = embedding.ID(i)
		}
		if err := m.fits(len(text)); (err == nil) != (len(text) <= 6*m.Pieces) {
			t.Fatalf("%d tokens in %d pieces: %v", len(text), m.Pieces, err)
		} else if err != nil {
			return
		}
		pieces := m.cut(nil, text)
		if len(pieces) != m.Pieces {
			t.Fatalf("%d pieces, must be %d whatever the text", len(pieces), m.Pieces)
		}
		next := embedding.ID(0)
		for _, p := range pieces {
			if len(p) > 6 {
				t.Fatalf("a piece of %d tokens", len(p))
			}
			for _, id := range p {
				if id != next {
					t.Fatalf("word %d stands where %d should", id, next)
				}
				next++
			}
		}
		if int(next) != len(text) {
			t.Fatalf("%d of %d tokens are in the pieces", next, len(text))
		}
	})
}
