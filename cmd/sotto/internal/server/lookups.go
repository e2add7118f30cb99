package server

import (
	"context"
	"fmt"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
)

// Bounds of one explanation.
const (
	explainWords   = 100
	explainBytes   = 256     // of a word
	explainTokens  = 200     // of all words
	explainOutputs = 1 << 19 // of all tokens
)

func (s *Server) explain(_ http.ResponseWriter, r *http.Request, e *exchange) error {
	e.private = true
	req := ExplainRequest{}
	if err := s.read(e, &req); err != nil {
		return err
	}
	whole := s.codebookOf(&req.Opening)
	e.sized = !req.whole()
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
		return privacy.Bad("serve", "texts", nil, "left out without unit text: give words")
	}
	if len(req.Words) == 0 || len(req.Words) > explainWords {
		return privacy.Bad("serve", "words", len(req.Words), fmt.Sprintf("1 to %d words", explainWords))
	}
	texts := make([][]byte, len(req.Words))
	for i, word := range req.Words {
		if len(word) > explainBytes {
			return privacy.Bad("serve", "words", nil, fmt.Sprintf("of at most %d bytes each", explainBytes))
		}
		texts[i] = []byte(word)
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{})
	if err != nil {
		return err
	}
	if rewriter.Table() == nil {
		return privacy.Bad("serve", "words", nil, "left out: this model rewrites whole texts, not words")
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
			return privacy.Bad("serve", "words", nil, "of at least one token each")
		}
	}
	if err := e.reserve(int64(rewriter.Table().Len())*rowMemory + int64(tokens*outputs)*outputMemory); err != nil {
		return err
	}
	explained, err := s.distributions(r.Context(), rewriter, req.Words[0], top)
	if err != nil {
		return err
	}
	out, n := newStream(e), 0
	out.around(ExplainResponse{Words: &[]sotto.Explained{}, Claim: rewriter.Claim()}, "words", func() {
		for i := range req.Words {
			if i > 0 && out.err == nil {
				explained, out.err = s.distributions(r.Context(), rewriter, req.Words[i], top)
			}
			for _, one := range explained {
				out.comma(n)
				out.explained(one)
				n++
			}
		}
	})
	return out.end()
}

// distributions computes the distributions of a word. Few requests compute at a time, and
// this one frees its place before it sends anything, so that a client that reads slowly
// delays nobody.
func (s *Server) distributions(ctx context.Context, rewriter *sotto.Rewriter, word string, top int) ([]sotto.Explained, error) {
	leave, err := s.explaining.take(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return rewriter.Explain(word, top)
}

// explained writes one distribution.
func (s *stream) explained(one sotto.Explained) {
	outputs := one.Outputs
	one.Outputs = []sotto.Output{}
	s.around(one, "outputs", func() {
		for i, o := range outputs {
			s.comma(i)
			s.value(o)
		}
	})
}

func (s *Server) mechanisms(w http.ResponseWriter, _ *http.Request, _ *exchange) error {
	return answer(w, http.StatusOK, MechanismsResponse{sotto.Catalogue()})
}

// accountResponse gives ledger.Description its name in OpenAPI.
type accountResponse struct{ ledger.Description }

func (s *Server) account(w http.ResponseWriter, r *http.Request, e *exchange) error {
	name := r.PathValue("id")
	if !e.key.permits(name) {
		return problem(http.StatusForbidden, "not-permitted", "this key may not read that account")
	}
	if s.accounts == nil {
		return problem(http.StatusNotFound, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	a, err := s.accounts.Account(r.Context(), name)
	if err != nil {
		return ledgerFailure(err, e)
	}
	return answer(w, http.StatusOK, a.Describe(s.accounts.Now()))
}

func (s *Server) describeSelf(w http.ResponseWriter, _ *http.Request, _ *exchange) error {
	send(w, http.StatusOK, s.openAPI)
	return nil
}

func (s *Server) healthz(w http.ResponseWriter, _ *http.Request, _ *exchange) error {
	return answer(w, http.StatusOK, Health{"ok"})
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request, e *exchange) error {
	if s.stopping.Load() {
		return answer(w, http.StatusServiceUnavailable, Health{"stopping"})
	}
	if s.accounts != nil {
		if err := s.ready.answer(r.Context()); err != nil {
			e.cause = err
			return answer(w, http.StatusServiceUnavailable, Health{"ledger-unavailable"})
		}
	}
	return answer(w, http.StatusOK, Health{"ok"})
}

func (s *Server) showMetrics(w http.ResponseWriter, r *http.Request, _ *exchange) error {
	s.metrics.opened.Set(float64(s.openings.len()))
	s.metrics.handler.ServeHTTP(w, r)
	return nil
}
