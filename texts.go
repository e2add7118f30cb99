package sotto

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// texts is the plan that draws once per text, through a model: encode, perturb, decode.
// The decoder reads nothing of the text.
type texts struct {
	name       string // of the mechanism
	vocabulary *vocabulary
	model      *autoencoder.Model
	perturber  mechanism.Perturber
	pieces     int
	beam       int
	seed       *uint64
}

// openModel opens a mechanism over the latent vectors of the model.
func (cfg *Config) openModel(ctx context.Context, entry mechanism.Entry) (*texts, error) {
	if entry.NewLatent == nil {
		return nil, privacy.Bad(entry.Name, "model", nil, "left out: this mechanism uses none")
	}
	pieces, beam := max(1, cfg.Pieces), max(1, cfg.Beam)
	if cfg.Pieces < 0 || pieces > MostPieces {
		return nil, privacy.Bad(entry.Name, "pieces", cfg.Pieces, fmt.Sprintf("1 to %d", MostPieces))
	}
	if cfg.Beam < 0 || beam > MostBeam {
		return nil, privacy.Bad(entry.Name, "beam", cfg.Beam, fmt.Sprintf("1 to %d", MostBeam))
	}
	card := cfg.Model.Card()
	if began := card.Table; cfg.Table != nil && (began == nil || began.SHA256 != cfg.Table.Digest()) {
		return nil, fmt.Errorf("%s: the model is for another table", entry.Name)
	}
	p, err := entry.NewLatent(ctx, mechanism.Latent{Dim: cfg.Model.Dimensions(), MedianL1: card.Latent.MedianL1, MedianL2: card.Latent.MedianL2}, cfg.Spec())
	if err != nil {
		return nil, err
	}
	return &texts{
		name: entry.Name, vocabulary: &vocabulary{table: cfg.Model.Table()}, model: cfg.Model,
		perturber: p, pieces: pieces, beam: beam, seed: cfg.InsecureSeed,
	}, nil
}

// Claim returns the claim per whole text: the pieces' losses add up.
func (m *texts) Claim() privacy.Claim {
	c := m.perturber.Claim()
	if m.pieces > 1 {
		c.Epsilon *= float64(m.pieces) * (1 + 0x1p-50)
		c.Delta = min(1, c.Delta*float64(m.pieces)*(1+0x1p-50))
	}
	return c
}

// Settings returns the mechanism's settings, and how the model is used.
func (m *texts) Settings() []mechanism.Setting {
	return append(m.perturber.Settings(), mechanism.Setting{Name: "pieces", Value: m.pieces}, mechanism.Setting{Name: "beam", Value: m.beam})
}

// fits refuses a text with more tokens than the pieces hold.
func (m *texts) fits(tokens int) error {
	if most := m.pieces * m.model.Tokens(); tokens > most {
		return privacy.Bad(m.name, "a text", nil, fmt.Sprintf("of at most %d tokens (the model reads %d, in %d of pieces; each costs epsilon)", most, m.model.Tokens(), m.pieces))
	}
	return nil
}

func (m *texts) read(texts [][]byte, at Position) (batch, error) {
	b := &textBatch{tokenized: m.vocabulary.tokenize(texts), plan: m, at: at}
	for i := range texts {
		if err := m.fits(b.length(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// textBatch is a batch with one draw per text.
type textBatch struct {
	*tokenized
	plan *texts
	at   Position
}

// counted leaves out tokens: the claim hides how many a text has.
func (b *textBatch) counted() (Counts, Content) {
	var counts Counts
	for range b.ends {
		counts.add(0, 0, 1, 1)
	}
	return counts, Content{}
}

func (b *textBatch) draw(ctx context.Context) (copies, error) {
	secure := noise.Secure()
	out, err := b.plan.draw(ctx, b.split(b.tokens), func(i int) rand.Source {
		if b.at.repeats(b.plan.seed) {
			return b.at.source(b.plan.seed, i)
		}
		return secure
	})
	if err != nil {
		return copies{}, err
	}
	return b.vocabulary.write(out), nil
}

// textsAtOnce is the number of texts drawn between two checks of the context.
const textsAtOnce = 256

// draw draws a text for each of the texts, which fit, with one source per text.
func (m *texts) draw(ctx context.Context, texts [][]embedding.ID, source func(i int) rand.Source) ([][]embedding.ID, error) {
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
func (m *texts) drawSome(texts [][]embedding.ID, source func(i int) rand.Source) ([][]embedding.ID, error) {
	var pieces [][]embedding.ID
	for _, t := range texts {
		pieces = m.cut(pieces, t)
	}
	k := m.model.Dimensions()
	latents := m.model.Encode(make([]float32, 0, len(pieces)*k), pieces)
	for i := range texts {
		rng := source(i)
		for j := i * m.pieces; j < (i+1)*m.pieces; j++ {
			if err := m.perturber.Perturb(latents[j*k:(j+1)*k], latents[j*k:(j+1)*k], rng); err != nil {
				return nil, err
			}
		}
	}
	written := m.model.Decode(latents, m.beam)
	out := make([][]embedding.ID, len(texts))
	for j, words := range written {
		out[j/m.pieces] = append(out[j/m.pieces], words...)
	}
	return out, nil
}

// cut appends the pieces of one text: as few as can hold it, of similar length, then
// empty ones.
func (m *texts) cut(dst [][]embedding.ID, text []embedding.ID) [][]embedding.ID {
	used := (len(text) + m.model.Tokens() - 1) / m.model.Tokens()
	for i := range used {
		dst = append(dst, text[i*len(text)/used:(i+1)*len(text)/used])
	}
	for range m.pieces - used {
		dst = append(dst, nil)
	}
	return dst
}

// ModelFigures describes a model in a statement.
type ModelFigures struct {
	Corpus     string `json:"corpus_sha256"`
	Vocabulary string `json:"vocabulary_sha256"`
	Public     bool   `json:"corpus_declared_public"`
	Tokens     int    `json:"tokens"` // longest piece
	Pieces     int    `json:"pieces"` // per text
	// RevealsLength reports that the length of the output follows from the noisy vectors
	// alone.
	RevealsLength bool `json:"reveals_length"`
}

func (m *texts) figures() *ModelFigures {
	card := m.model.Card()
	return &ModelFigures{Corpus: card.Corpus.SHA256, Vocabulary: card.Vocabulary, Public: card.Public, Tokens: m.model.Tokens(), Pieces: m.pieces}
}

func (m *texts) state(s *Statement, _ Counts) {
	s.Model = m.figures()
	s.Tokens, s.LongestTokens = nil, nil
	s.total(pureLoss(nil, s.Claim, m.vocabulary.table), 1)
	declared := "its trainer declared it public"
	if !m.model.Card().Public {
		declared = "nobody declared it public"
	}
	s.NotProtected = append(s.NotProtected,
		"the number of texts, empty ones too, their order, and the line or field of each",
		fmt.Sprintf("that no text has more than %d tokens: longer ones are refused; how many tokens each has is hidden", m.pieces*m.model.Tokens()),
		besideTexts, unreadRecords, endedEarly,
		"the same text rewritten again, several texts of one person, or fields of one record: losses add up over them",
		"the corpus that the model was trained on: the claim assumes that it is public, and "+declared,
		"the time the run took, memory, and who else holds the same text",
	)
}
