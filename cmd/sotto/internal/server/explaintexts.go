package server

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
)

// explainTexts answers with the exact output distributions of whole texts.
func (s *Server) explainTexts(ctx context.Context, e *exchange, req *ExplainRequest, whole *codebook, top int) error {
	if len(req.Words) > 0 {
		return privacy.Bad("serve", "words", nil, "left out with unit text: give texts")
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
	if err := e.reserve(whole.explanation(outputs)); err != nil {
		return err
	}
	explained, err := s.distribution(ctx, rewriter, req.Texts[0], top)
	if err != nil {
		return err
	}
	out := newStream(e)
	a := ExplainResponse{Texts: &[]sotto.ExplainedText{}, Codebook: statement.CorpusFiguresOf(whole.Corpus), Claim: rewriter.Claim()}
	out.around(a, "texts", func() {
		for i, text := range req.Texts {
			if i > 0 && out.err == nil {
				explained, out.err = s.distribution(ctx, rewriter, text, top)
			}
			out.comma(i)
			outputs := explained.Outputs
			explained.Outputs = []sotto.TextOutput{}
			out.around(explained, "outputs", func() {
				for j, o := range outputs {
					out.comma(j)
					out.value(o)
				}
			})
		}
	})
	return out.end()
}

// distribution computes the distribution of one text. Few run at a time.
func (s *Server) distribution(ctx context.Context, rewriter *sotto.Rewriter, text string, top int) (sotto.ExplainedText, error) {
	leave, err := s.explaining.take(ctx)
	if err != nil {
		return sotto.ExplainedText{}, err
	}
	defer leave()
	return rewriter.ExplainText(text, top)
}
