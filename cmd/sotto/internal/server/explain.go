package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/privacy"
)

// Bounds of one explanation.
const (
	explainWords   = 100
	explainBytes   = 256     // of a word
	explainTokens  = 200     // of all words
	explainOutputs = 1 << 19 // of all tokens
)

func (s *Server) explain(e *gate.Exchange, r *http.Request) error {
	e.Private = true
	req := wire.ExplainRequest{}
	if err := e.Decode(&req); err != nil {
		return err
	}
	whole := s.codebookOf(&req.Opening)
	top := 10
	if req.Top != nil {
		top = *req.Top
	}
	if top < 0 {
		return privacy.Bad("serve", "top", top, "0 or more")
	}
	if whole != nil {
		return s.explainTexts(r.Context(), e, &req, whole, top)
	}
	if len(req.Texts) > 0 {
		return privacy.Unwanted("serve", "texts", "without unit text: give words")
	}
	texts, err := textsOf(req.Words)
	if err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{})
	if err != nil {
		return err
	}
	e.Opened(rewriter.Claim().Unit)
	if rewriter.Table() == nil {
		return privacy.Unwanted("serve", "words", "here: this model rewrites whole texts, not words")
	}
	read, err := rewriter.Read(texts)
	if err != nil {
		return err
	}
	tokens, outputs := read.Counts().Tokens, rewriter.Table().Len()
	if top > 0 {
		outputs = min(top, outputs)
	}
	if tokens > explainTokens || tokens*outputs > explainOutputs && tokens > 1 {
		return privacy.Bad("serve", "words", tokens, fmt.Sprintf("at most %d tokens, with at most %d outputs in one request", explainTokens, explainOutputs))
	}
	for i := range texts {
		if read.Length(i) == 0 { // checked before the first byte of the answer is sent
			return privacy.Wrong("serve", "words", "one has no token", "give words of at least one token each")
		}
	}
	if err := e.Reserve(int64(rewriter.Table().Len())*rowMemory + int64(tokens*outputs)*outputMemory); err != nil {
		return err
	}
	explain := func(i int) ([]sotto.Explained, error) {
		return inTurn(r.Context(), s.explaining, func() ([]sotto.Explained, error) { return rewriter.Explain(req.Words[i], top) })
	}
	explained, err := explain(0)
	if err != nil {
		return err
	}
	out, n := wire.NewStream(e), 0
	out.Around(wire.ExplainResponse{Words: &[]sotto.Explained{}, Claim: rewriter.Claim()}, "words", func() {
		for i := range req.Words {
			if i > 0 && out.Err == nil {
				explained, out.Err = explain(i)
			}
			for _, one := range explained {
				out.Comma(n)
				outputs := one.Outputs
				one.Outputs = []sotto.Output{}
				writeOutputs(out, one, outputs)
				n++
			}
		}
	})
	return out.End()
}

// textsOf returns words as texts to read, and refuses too many and too long ones.
func textsOf(words []string) ([][]byte, error) {
	if len(words) == 0 || len(words) > explainWords {
		return nil, privacy.Bad("serve", "words", len(words), fmt.Sprintf("1 to %d words", explainWords))
	}
	texts := make([][]byte, len(words))
	for i, word := range words {
		if len(word) > explainBytes {
			return nil, privacy.Wrong("serve", "words", "one is too long", fmt.Sprintf("give words of at most %d bytes", explainBytes))
		}
		texts[i] = []byte(word)
	}
	return texts, nil
}

// inTurn computes the distributions of a word or a text. Few requests compute at a time, and
// this one frees its place before it sends anything, so that a client that reads slowly
// delays nobody.
func inTurn[T any](ctx context.Context, turns *gate.Turns, compute func() (T, error)) (none T, err error) {
	leave, err := turns.Take(ctx)
	if err != nil {
		return none, err
	}
	defer leave()
	return compute()
}

// writeOutputs writes one distribution, whose list of outputs is empty, with its outputs.
func writeOutputs[T any](s *wire.Stream, one any, outputs []T) {
	s.Around(one, "outputs", func() {
		for i, o := range outputs {
			s.Comma(i)
			s.Value(o)
		}
	})
}

// explainTexts answers with the exact output distributions of whole texts.
func (s *Server) explainTexts(ctx context.Context, e *gate.Exchange, req *wire.ExplainRequest, whole *codebook, top int) error {
	if len(req.Words) > 0 {
		return privacy.Unwanted("serve", "words", "with unit text: give texts")
	}
	outputs := whole.Len()
	if top > 0 {
		outputs = min(top, outputs)
	}
	switch n := len(req.Texts); {
	case n == 0 || n > explainWords:
		return privacy.Bad("serve", "texts", n, fmt.Sprintf("1 to %d texts", explainWords))
	case n > 1 && n*outputs > explainOutputs:
		return privacy.Bad("serve", "texts", n, fmt.Sprintf("at most %d outputs in one request", explainOutputs))
	}
	if err := s.compare(whole, len(req.Texts)); err != nil {
		return err
	}
	rewriter, err := s.open(ctx, &req.Opening, reading{})
	if err != nil {
		return err
	}
	if err := e.Reserve(whole.explanation(outputs)); err != nil {
		return err
	}
	explain := func(i int) (sotto.ExplainedText, error) {
		return inTurn(ctx, s.explaining, func() (sotto.ExplainedText, error) { return rewriter.ExplainText(req.Texts[i], top) })
	}
	explained, err := explain(0)
	if err != nil {
		return err
	}
	out := wire.NewStream(e)
	a := wire.ExplainResponse{Texts: &[]sotto.ExplainedText{}, Codebook: rewriter.Statement(sotto.Counts{}).Corpus, Claim: rewriter.Claim()}
	out.Around(a, "texts", func() {
		for i := range req.Texts {
			if i > 0 && out.Err == nil {
				explained, out.Err = explain(i)
			}
			out.Comma(i)
			outputs := explained.Outputs
			explained.Outputs = []sotto.TextOutput{}
			writeOutputs(out, explained, outputs)
		}
	})
	return out.End()
}
