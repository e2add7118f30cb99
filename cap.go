package sotto

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

// capped is the plan that draws once per token of texts whose total loss is bounded. The
// bound holds for texts up to a length; tokens beyond it are refused or drawn from the
// whole table.
type capped struct {
	*tokens
	figures *DocumentFigures
}

func (p *capped) read(texts [][]byte, at Position) (batch, error) {
	b := &cappedBatch{tokenBatch: &tokenBatch{tokenized: p.vocabulary.tokenize(texts), plan: p.tokens, at: at}, beyond: make([]int, len(texts))}
	kept, from := b.tokens[:0], 0
	for i, end := range b.ends {
		read := end - from
		beyond, err := p.beyond(read, at.Of)
		if err != nil {
			return nil, err
		}
		kept = append(kept, b.tokens[from:end-beyond]...)
		b.ends[i], b.beyond[i], from = len(kept), beyond, end
		b.counts.add(read, beyond, read-beyond, read-beyond)
	}
	b.tokens = kept
	return b, nil
}

// beyond returns the number of a text's tokens beyond the cap of its document.
func (p *capped) beyond(tokens int, of *Parts) (int, error) {
	length := tokens
	if of != nil {
		of.tokens += tokens
		length = of.tokens
	}
	beyond := min(tokens, max(0, length-p.figures.Allowed))
	if beyond > 0 && p.figures.Over != Clamp {
		return 0, &BudgetError{Fault: TextTooLong, Tokens: length, More: of != nil, Allowed: p.figures.Allowed}
	}
	return beyond, nil
}

func (p *capped) state(s *Statement, counts Counts) {
	figures := *p.figures
	figures.ClampedDocuments, figures.ClampedTokens = counts.ClampedDocuments, counts.ClampedTokens
	s.Cap = &figures
	if s.Bag = bagOf(s); s.Bag != nil {
		s.Bag.Longest = &figures.Allowed
	}
	p.total(s, min(counts.LongestTokens, figures.Allowed))
	s.NotProtected = p.notProtected(s, fmt.Sprintf("whole texts beyond (epsilon = %s, delta = %g): each other text about the same person, or the same one again, adds its own", privacy.Above(figures.Total, 4), figures.Delta), againEverywhere)
}

// cappedBatch is a batch in which some tokens are beyond the cap.
type cappedBatch struct {
	*tokenBatch
	beyond []int // tokens of each text beyond the cap
}

func (b *cappedBatch) draw(ctx context.Context) (copies, error) {
	out, err := b.plan.replace(ctx, b.tokens, b.ends, b.at)
	if err != nil {
		return copies{}, err
	}
	texts := b.split(out)
	for i, n := range b.beyond {
		if n == 0 {
			continue
		}
		rng := b.at.sourceBeyond(b.plan.seed, i)
		texts[i] = slices.Grow(texts[i], n)
		for range n {
			texts[i] = append(texts[i], embedding.ID(noise.Below(rng, uint64(b.vocabulary.table.Len()))))
		}
	}
	return b.vocabulary.write(texts), nil
}

// DocumentFigures are the figures of a cap.
type DocumentFigures struct {
	Cap   float64 `json:"document_epsilon_cap"`
	Total float64 `json:"document_epsilon"` // of the longest text allowed, at Delta
	Delta float64 `json:"document_delta"`
	// Allowed is the number of tokens over which the cap was spread.
	Allowed     int               `json:"document_tokens_cap"`
	Composition accountant.Method `json:"document_composition"`
	Over        Over              `json:"document_over"`

	// Documents longer than Allowed, and their tokens beyond it. Both follow from lengths
	// alone.
	ClampedDocuments int `json:"clamped_documents"`
	ClampedTokens    int `json:"clamped_tokens"`
}

// checkCap refuses an invalid cap.
func (cfg *Config) checkCap() error {
	switch {
	case !(cfg.DocumentEpsilon > 0) || math.IsInf(cfg.DocumentEpsilon, 0):
		return privacy.Bad("document", "epsilon", cfg.DocumentEpsilon, "positive and finite")
	case !(cfg.DocumentDelta >= 0 && cfg.DocumentDelta < 1):
		return privacy.Bad("document", "delta", cfg.DocumentDelta, "in [0, 1)")
	case cfg.DocumentTokens < 1 || cfg.DocumentTokens > MostDocumentTokens:
		return privacy.Bad("document", "tokens", cfg.DocumentTokens, fmt.Sprintf("1 to %d", MostDocumentTokens))
	case cfg.Over != "" && cfg.Over != Refuse && cfg.Over != Clamp:
		return privacy.Bad("document", "over", fmt.Sprintf("%q", cfg.Over), "refuse or clamp")
	}
	return nil
}

// openCapped opens the mechanism under the cap. With Epsilon it uses that, as far as the
// cap holds; without it searches for the largest epsilon that holds.
func (cfg *Config) openCapped(ctx context.Context, entry mechanism.Entry, table *embedding.Table) (mechanism.Mechanism, *DocumentFigures, error) {
	if err := cfg.checkCap(); err != nil {
		return nil, nil, err
	}
	spec := cfg.Spec()
	if entry.Notion == privacy.Approximate {
		if cfg.DocumentDelta == 0 {
			return nil, nil, privacy.Bad(entry.Name, "document delta", cfg.DocumentDelta, "in (0, 1): this mechanism has a delta per token")
		}
		if delta, ok := entry.Parameter(mechanism.RoleDelta); ok && !spec.Parameters.Gives(delta) {
			// Half of the document's delta is for the tokens' deltas, half for the slack
			// that composition needs.
			spec.Parameters = spec.Parameters.With(delta, fmt.Sprintf("%.3g", cfg.DocumentDelta/float64(2*cfg.DocumentTokens)*0.99))
		}
	}
	s := capSearch{ctx: ctx, cap: Loss{cfg.DocumentEpsilon, cfg.DocumentDelta}, tokens: cfg.DocumentTokens, entry: entry, table: table, spec: spec}
	if err := s.choose(); err != nil {
		return nil, nil, err
	}
	total, how, err := s.use.EpsilonOf(s.tokens, s.cap.Delta)
	if err != nil {
		return nil, nil, err
	}
	f := &DocumentFigures{Cap: s.cap.Epsilon, Total: min(total, s.cap.Epsilon), Delta: s.cap.Delta, Allowed: s.tokens, Composition: how, Over: cfg.Over}
	if f.Over == "" {
		f.Over = Refuse
	}
	return s.mechanism, f, nil
}
