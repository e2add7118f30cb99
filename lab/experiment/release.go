package experiment

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/lab/firstwords"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy"
)

// released is a private copy of the private texts of a codebook.
type released struct {
	channel  learn.Channel
	inside   float64
	texts    []int // of the corpus, one for each private text
	evidence result.Evidence
}

// release draws a public text for each of the first n private texts, 0 for all,
// through the library's front door.
func (c *codebook) release(ctx context.Context, p result.Params, seed uint64, n int) (*released, error) {
	epsilon, _ := p.Number("epsilon")
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon}.Spec()
	if err != nil {
		return nil, err
	}
	cfg := private.Config(nil, name, spec)
	cfg.Unit, cfg.Corpus, cfg.InsecureSeed = privacy.Text, c.corpus, &seed
	if c.corpus.Card().Encoder.Table != nil {
		cfg.Table = c.table
	}
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	texts := c.private.Texts
	if n > 0 {
		texts = texts[:min(n, len(texts))]
	}
	pending, err := c.read(r, texts)
	if err != nil {
		return nil, err
	}
	drawn, err := pending.Draw(ctx)
	if err != nil {
		return nil, err
	}
	s := r.Statement(pending.Counts())
	claim, standing := r.Claim(), r.Entry().Standing
	out := &released{
		channel:  learn.Channel{Epsilon: claim.Epsilon, Texts: c.corpus.Len(), Neighbours: *s.Neighbours},
		inside:   *s.Inside,
		evidence: result.Evidence{Claim: &claim, Standing: &standing},
	}
	for _, t := range drawn {
		at, ok := c.place[string(t)]
		if !ok {
			return nil, errors.New("experiment: a released text is none of the corpus")
		}
		out.texts = append(out.texts, at)
	}
	return out, nil
}

// read passes texts to a rewriter, or their vectors where the corpus has no encoder.
func (c *codebook) read(r *sotto.Rewriter, texts []string) (*sotto.Pending, error) {
	e, brought := c.encoder.(*firstwords.Encoder)
	if !brought {
		return r.Read(bytesOf(texts))
	}
	vectors := make([][]float64, len(texts))
	for i, t := range texts {
		vectors[i] = e.Vector(t)
	}
	return r.ReadVectors(vectors, sotto.Position{})
}

func bytesOf(texts []string) [][]byte {
	all := make([][]byte, len(texts))
	for i, t := range texts {
		all[i] = []byte(t)
	}
	return all
}
