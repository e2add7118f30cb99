package sotto

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// markedRest is the plan that draws once per token, at one epsilon inside given spans and at
// another outside them.
//
// Both claims are conditional on the spans. Two texts are neighbours if they have as many
// spans with as many tokens each, as many tokens between them, and differ in one token. That
// token is then drawn by the same mechanism for both, and all others are drawn alike: the
// ratio of two outputs is that of one draw of this mechanism. For texts that differ in more
// tokens the losses add up. The output is written from the drawn tokens alone, so it does
// not show where a span began within a word. Where a detector marks depends on the whole
// text, and no loss bounds it.
type markedRest struct {
	*marked
	rest *tokens // for what is outside the spans
}

// RestFigures is the guarantee for the tokens outside the marked places, if they are drawn
// too.
type RestFigures struct {
	Claim      privacy.Claim    `json:"claim"` // for one token there, conditional on the spans
	Parameters audit.Parameters `json:"parameters"`
	Tokens     int              `json:"tokens"` // drawn there
	// TextEpsilonMax bounds the loss of a text with all its tokens, in nats, between texts
	// that have equal numbers of tokens in the same marked places. Null if no finite pure
	// loss holds. No figure bounds what the places themselves reveal.
	TextEpsilonMax *float64 `json:"text_epsilon_max"`
}

// openRest opens the mechanism for the tokens outside the spans. The one for tokens inside
// them is opened with the returned configuration.
func (cfg *Config) openRest(ctx context.Context, entry mechanism.Entry, inside *tokens) (*markedRest, Config, error) {
	marks := *cfg
	marks.Epsilon = cfg.MarkedEpsilon
	if err := privacy.CheckEpsilon("marked-epsilon", cfg.MarkedEpsilon); err != nil {
		return nil, marks, err
	}
	rest := &tokens{name: inside.name, vocabulary: inside.vocabulary, draws: inside.draws.others()}
	var err error
	rest.Mechanism, err = entry.New(ctx, inside.vocabulary.table, cfg.Spec())
	return &markedRest{&marked{inside}, rest}, marks, err
}

// restClaim returns the claim for a token outside the spans.
func (p *markedRest) restClaim() privacy.Claim {
	c := p.rest.Claim()
	c.Assumes |= privacy.PublicSpans
	return c
}

// readSpans reads all tokens of each text. Each part of a text is tokenized by itself, so
// that the tokens of a span do not depend on what is beside it.
func (p *markedRest) readSpans(texts [][]byte, spans []Spans, at Position) (batch, error) {
	var parts [][]byte
	for i, t := range texts {
		kept, inside, err := text.Cut(t, spans[i])
		if err != nil {
			return nil, err
		}
		for k, part := range inside {
			parts = append(parts, kept[k], part)
		}
		parts = append(parts, kept[len(inside)])
	}
	of := p.vocabulary.tokenize(parts)
	b := &markedRestBatch{tokenized: of, plan: p, at: at, inside: make([]bool, len(of.tokens))}
	partEnds, part, token := of.ends, 0, 0
	of.ends = make([]int, len(texts))
	for i := range texts {
		first, marks := token, 0
		for k := range 2*len(spans[i]) + 1 {
			for ; token < partEnds[part]; token++ {
				if b.inside[token] = k%2 == 1; b.inside[token] {
					marks++
				}
			}
			part++
		}
		of.ends[i] = token
		n := token - first
		b.counts.add(n, 0, n, n)
		b.counts.Spans += len(spans[i])
		b.counts.RestTokens += n - marks
		b.counts.LongestLoss = max(b.counts.LongestLoss, p.loss(marks, n-marks))
	}
	return b, nil
}

// loss returns the loss of a text with these numbers of tokens inside and outside its spans, rounded
// up; infinite if no finite pure loss holds.
func (p *markedRest) loss(marks, rest int) float64 {
	sum := new(big.Float).SetPrec(256)
	for _, of := range []struct {
		claim privacy.Claim
		times int
	}{{p.tokens.Claim(), marks}, {p.rest.Claim(), rest}} {
		if of.times == 0 {
			continue
		}
		if of.claim.Notion != privacy.Pure || math.IsInf(of.claim.Epsilon, 0) {
			return math.Inf(1)
		}
		each := new(big.Float).SetPrec(256).SetFloat64(of.claim.Epsilon)
		sum.Add(sum, each.Mul(each, new(big.Float).SetInt64(int64(of.times))))
	}
	total, accuracy := sum.Float64()
	if accuracy == big.Below {
		total = math.Nextafter(total, math.Inf(1))
	}
	return total
}

func (p *markedRest) state(s *Statement, counts Counts) {
	p.total(s, counts.LongestTokens)
	s.DocumentEpsilonMax, s.DocumentDeltaMax, s.Spans = nil, 1, &counts.Spans // the places are not bounded
	rest := &RestFigures{Claim: p.restClaim(), Parameters: audit.ParametersOf(p.rest.Settings()), Tokens: counts.RestTokens}
	if loss := counts.LongestLoss; !math.IsInf(loss, 0) {
		rest.TextEpsilonMax = &loss
	}
	s.Rest = rest
	whole := "whole texts as one secret: which places are marked depends on the whole text, so the total of a text is infinite"
	if rest.TextEpsilonMax != nil {
		whole += fmt.Sprintf("; among texts with as many tokens in the same marked places it is at most %s", privacy.Above(*rest.TextEpsilonMax, 6))
	}
	s.NotProtected = p.notProtected(s, whole, againEverywhere,
		"which places the spans mark and why: a detector read the whole text, and both claims are conditional on what it marked. Tokens that it missed have the epsilon of the rest")
}

// markedRestBatch is a batch in which tokens inside and outside spans are drawn differently.
type markedRestBatch struct {
	*tokenized
	plan   *markedRest
	at     Position
	inside []bool // of each token: whether a span has it
	counts Counts
}

func (b *markedRestBatch) counted() (Counts, Content) { return b.counts, b.content }

// tally counts nothing: an expected share of words that stay is of one mechanism.
func (b *markedRestBatch) tally(*WordCounts) {}

func (b *markedRestBatch) draw(ctx context.Context) (copies, error) {
	out := make([]embedding.ID, len(b.tokens))
	for _, of := range []struct {
		plan   *tokens
		inside bool
		at     Position
	}{{b.plan.tokens, true, b.at}, {b.plan.rest, false, b.at.apart("rest")}} {
		var words []embedding.ID
		ends, next := make([]int, len(b.ends)), 0
		for i, end := range b.ends {
			for ; next < end; next++ {
				if b.inside[next] == of.inside {
					words = append(words, b.tokens[next])
				}
			}
			ends[i] = len(words)
		}
		drawn, err := of.plan.replace(ctx, words, ends, of.at)
		if err != nil {
			return copies{}, err
		}
		for i := range out {
			if b.inside[i] == of.inside {
				out[i], drawn = drawn[0], drawn[1:]
			}
		}
	}
	return b.vocabulary.write(b.split(out)), nil
}
