package unit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text/fault"
)

// Model is the unit of whole texts that are drawn through a model: encode, perturb, decode.
// The decoder reads nothing of the text.
type Model struct {
	Latent
	vocabulary *Vocabulary
	draws      *draws
}

// Latent is what was opened for a model.
type Latent struct {
	Entry     mechanism.Entry
	Model     *autoencoder.Model
	Perturber mechanism.Perturber
	Seed      *uint64
	Pieces    int // of each text
	Beam      int // width of the decoder
	NoParts   error
}

// OfModel returns the unit of what was opened.
func OfModel(l Latent) *Model {
	return &Model{Latent: l, vocabulary: &Vocabulary{Table: l.Model.Table()}, draws: from(l.Seed)}
}

// Facts returns how the model was opened.
func (m *Model) Facts() statement.Facts {
	card := m.Latent.Model.Card()
	f := statement.Facts{
		Entry: m.Entry, Settings: m.settings(), Claim: m.claim(), Seeded: m.draws.seeded(), Table: m.vocabulary.Table,
		Of: statement.Model{Figures: statement.ModelFigures{Corpus: card.Corpus.SHA256, Vocabulary: card.Vocabulary, Public: card.Public, Tokens: m.Latent.Model.Tokens(), Pieces: m.Pieces}},
	}
	f.Loss = func() float64 { return statement.PureLoss(nil, f.Claim, f.Table) }
	return f
}

// Needs returns that a model needs nothing beside texts.
func (m *Model) Needs() release.Needs { return release.Needs{NoParts: m.NoParts} }

// claim returns the claim per whole text: the pieces' losses add up.
func (m *Model) claim() privacy.Claim {
	c := m.Perturber.Claim()
	if m.Pieces > 1 {
		c.Epsilon *= float64(m.Pieces) * (1 + 0x1p-50)
		c.Delta = min(1, c.Delta*float64(m.Pieces)*(1+0x1p-50))
	}
	return c
}

// settings returns the mechanism's settings, and how the model is used.
func (m *Model) settings() []mechanism.Setting {
	return append(m.Perturber.Settings(), mechanism.Setting{Name: "pieces", Value: m.Pieces}, mechanism.Setting{Name: "beam", Value: m.Beam})
}

// fits refuses a text with more tokens than the pieces hold.
func (m *Model) fits(tokens int) error {
	if most := m.Pieces * m.Latent.Model.Tokens(); tokens > most {
		return longTextError{privacy.Wrong(m.Entry.Name, "", fmt.Sprintf("a text has more than %d tokens (the model reads %d, in %d of pieces)", most, m.Latent.Model.Tokens(), m.Pieces), "shorten it, or allow more pieces, each of which costs epsilon")}
	}
	return nil
}

// longTextError refuses a text by its length.
type longTextError struct{ error }

func (e longTextError) Unwrap() error { return e.error }

func (longTextError) FaultKind() fault.Kind { return fault.Length }

// Read cuts texts into words.
func (m *Model) Read(t release.Texts, at release.Position) (release.Batch, error) {
	b := &modelBatch{tokenized: m.vocabulary.tokenize(t.Bytes), unit: m, at: at}
	for i := range t.Bytes {
		if err := m.fits(b.Length(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// modelBatch is a batch with one draw per text.
type modelBatch struct {
	*tokenized
	unit *Model
	at   release.Position
}

// Counted leaves out tokens: the claim hides how many a text has.
func (b *modelBatch) Counted() (statement.Counts, statement.Content) {
	var counts statement.Counts
	for range b.ends {
		counts.Count(0, 0, 1, 1)
	}
	return counts, statement.Content{UnknownTokens: b.content.UnknownTokens, ReadTokens: len(b.tokens)}
}

func (b *modelBatch) Draw(ctx context.Context) (release.Drawn, error) {
	from := b.unit.draws.begin(b.at)
	defer from.end()
	out, err := b.unit.draw(ctx, b.split(b.tokens), from.text)
	if err != nil {
		return release.Drawn{}, err
	}
	return b.vocabulary.write(out), nil
}

// textsAtOnce is the number of texts drawn between two checks of the context.
const textsAtOnce = 256

// draw draws a text for each of the texts, which fit, with one source per text.
func (m *Model) draw(ctx context.Context, texts [][]embedding.ID, source func(i int) rand.Source) ([][]embedding.ID, error) {
	out := make([][]embedding.ID, 0, len(texts))
	for some := range slices.Chunk(texts, textsAtOnce) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := len(out)
		written, err := m.drawSome(some, func(i int) rand.Source { return source(from + i) })
		if err != nil {
			return nil, err
		}
		out = append(out, written...)
	}
	return out, nil
}

// drawSome is draw for texts that are encoded and decoded together.
func (m *Model) drawSome(texts [][]embedding.ID, source func(i int) rand.Source) ([][]embedding.ID, error) {
	var pieces [][]embedding.ID
	for _, t := range texts {
		pieces = m.cut(pieces, t)
	}
	k := m.Latent.Model.Dimensions()
	latents := m.Latent.Model.Encode(make([]float32, 0, len(pieces)*k), pieces)
	for i := range texts {
		rng := source(i)
		for j := i * m.Pieces; j < (i+1)*m.Pieces; j++ {
			if err := m.Perturber.Perturb(latents[j*k:(j+1)*k], latents[j*k:(j+1)*k], rng); err != nil {
				return nil, err
			}
		}
	}
	written := m.Latent.Model.Decode(latents, m.Beam)
	out := make([][]embedding.ID, len(texts))
	for j, words := range written {
		out[j/m.Pieces] = append(out[j/m.Pieces], words...)
	}
	return out, nil
}

// cut appends the pieces of one text: as few as can hold it, of similar length, then
// empty ones.
func (m *Model) cut(dst [][]embedding.ID, text []embedding.ID) [][]embedding.ID {
	used := (len(text) + m.Latent.Model.Tokens() - 1) / m.Latent.Model.Tokens()
	for i := range used {
		dst = append(dst, text[i*len(text)/used:(i+1)*len(text)/used])
	}
	for range m.Pieces - used {
		dst = append(dst, nil)
	}
	return dst
}
