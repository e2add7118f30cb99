package catalog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/scratch"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/codes"
	"github.com/sotto-dp/sotto/mechanism/internal/parameters"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

var brrEntry = mechanism.Entry{
	Name:       "brr",
	Summary:    "randomised response to each bit of the word's binary code, then the word of the nearest code",
	Paper:      "Carvalho, Vasiloudis, Feyisetan 2021, \"BRR: preserving privacy of text data efficiently on device\", arXiv:2107.07923, with codes by random directions",
	Notion:     privacy.Metric,
	Standing:   privacy.Proved,
	Reviewed:   "202cb62cb20c8ab5",
	Stops:      mechanism.Steps(0.1, 1, 0.1),
	Cost:       mechanism.Pairs,
	Parameters: []mechanism.Parameter{brrBits, brrSeed},
	New:        newBRR,
}

var (
	brrBits = mechanism.Parameter{Name: "bits", Kind: mechanism.Integer, Default: "256", Accepts: mechanism.Between(1, codes.MaxBits), Help: "bits of a word's binary code"}
	brrSeed = mechanism.Parameter{Name: "code-seed", Kind: mechanism.Integer, Default: "1", Accepts: mechanism.Between(0, math.MaxInt), Help: "public seed of the directions that give a code its bits"}
)

// newBRR makes randomised response to binary codes. Epsilon is the loss of one bit, so the
// claim is metric in the Hamming distance of the codes.
func newBRR(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
	p := parameters.Read("brr", spec)
	bits, sized := p.Integer(brrBits)
	seed, seeded := p.Integer(brrSeed)
	if _, err := p.Close(); err != nil {
		return nil, err
	}
	book, err := codes.New(ctx, table, bits, uint64(seed))
	if err != nil {
		return nil, err
	}
	diameter, err := book.Diameter(ctx)
	if err != nil {
		return nil, err
	}
	response := codes.NewResponse(spec.Epsilon)
	return &brr{
		codes: book, response: response, bits: bits,
		claim: privacy.Claim{Unit: privacy.Token, Notion: privacy.Metric, Distance: fmt.Sprintf("hamming(%d,%d)", bits, seed), Epsilon: spec.Epsilon,
			Assumes: privacy.PublicData | privacy.LengthRevealed},
		most: min(response.Loss(), spec.Epsilon) * float64(diameter) * (1 + 0x1p-50),
		settings: []mechanism.Setting{{Name: "epsilon", Value: spec.Epsilon}, brrBits.Setting(bits, sized), brrSeed.Setting(seed, seeded),
			{Name: "flip", Value: response.Flip()}, {Name: "largest-distance", Value: diameter}},
	}, nil
}

// brr draws words through their codes.
type brr struct {
	codes    *codes.Codes
	response codes.Response
	bits     int
	claim    privacy.Claim
	most     float64
	settings []mechanism.Setting
}

func (m *brr) Claim() privacy.Claim          { return m.claim }
func (m *brr) Settings() []mechanism.Setting { return m.settings }

// Most returns the loss of a bit times the largest distance of two codes.
func (m *brr) Most() float64 { return m.most }

// Replace draws one output for each word of src.
func (m *brr) Replace(dst, src []embedding.ID, rng rand.Source) ([]embedding.ID, error) {
	rng = noise.OrSecure(rng)
	var buffer [4 * codes.AtOnce]uint64
	for some := range slices.Chunk(src, codes.AtOnce) {
		noisy := scratch.Resize(buffer[:0], m.codes.Words()*len(some))
		for i, x := range some {
			m.response.Draw(noisy[i*m.codes.Words():][:m.codes.Words()], m.codes.Row(x), m.bits, rng)
		}
		dst = m.codes.Nearest(dst, noisy)
	}
	return dst, nil
}
