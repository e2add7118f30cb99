package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/privacy"
)

func (s *Server) rewrite(w http.ResponseWriter, r *http.Request, e *exchange, p *till.Payment) error {
	var req RewriteRequest
	if err := s.read(e, &req); err != nil {
		return err
	}
	whole := req.whole()
	e.sized = !whole
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	if err := s.checkPayment(req.Account, p, e.key); err != nil {
		return err
	}
	if err := checkScope(&req); err != nil {
		return err
	}
	if err := req.Cap.check(); err != nil {
		return err
	}
	if err := s.checkSpans(&req); err != nil {
		return err
	}
	rewriter, err := s.open(r.Context(), &req.Opening, reading{req.Consistent, req.Scope != "", req.Spans != nil, req.Cap})
	if err != nil {
		return err
	}
	d, err := s.newDraft(e, &req, rewriter)
	if err != nil {
		return err
	}
	if err := s.admitTokens(e, d.pending.Size(), d.memory(&req)); err != nil {
		return err
	}
	counts := d.pending.Counts()
	claim := rewriter.Claim()
	e.note = append(e.note, slog.String("mechanism", rewriter.Entry().Name))
	e.noteClaim(claim)
	e.note = append(e.note, slog.Int("texts", counts.Documents))
	if !whole {
		e.note = append(e.note, slog.Int("tokens", counts.Tokens))
	}
	if err := r.Context().Err(); err != nil {
		return err
	}
	// From here on the request is finished even if its client leaves: it may be charged,
	// and a retry under its key finds the answer.
	ctx, cancel := e.committed(r.Context())
	defer cancel()
	pay := s.pay
	if req.Scope != "" {
		pay = s.payScoped
	}
	body, replayed, err := pay(ctx, d, &req, p, e)
	if err != nil {
		return err
	}
	if replayed {
		replayedHeader.set(w, "true")
	}
	s.metrics.draws(rewriter.Entry().Name, claim.Unit, counts, replayed)
	send(w, http.StatusOK, body)
	return nil
}

// draft is a request that is counted and not yet drawn.
type draft struct {
	rewriter *sotto.Rewriter
	pending  *sotto.Pending
	results  []Result // refused items hold their error
}

// newDraft reads the texts. Texts for a corpus are bounded by the size of the body only:
// refusing a long one would reveal its length.
func (s *Server) newDraft(e *exchange, req *RewriteRequest, rewriter *sotto.Rewriter) (d *draft, err error) {
	d = &draft{rewriter: rewriter, results: make([]Result, len(req.Texts))}
	longest := s.limits.Text
	if c := s.codebookOf(&req.Opening); c != nil {
		longest = math.MaxInt
		if err := s.admitWhole(e, c, rewriter, len(req.Texts), req.Pieces); err != nil {
			return nil, err
		}
	}
	var texts [][]byte
	var items []int
	for i, t := range req.Texts {
		switch {
		case t == nil:
			d.results[i].Error = "must be a string, got null"
		case len(*t) > longest:
			d.results[i].Error = fmt.Sprintf("must have at most %d bytes, got %d", longest, len(*t))
		case req.spansFault(i) != "":
			d.results[i].Error = req.spansFault(i)
		default:
			texts, items = append(texts, []byte(*t)), append(items, i)
		}
	}
	var long *sotto.BudgetError
	if d.pending, err = req.readItems(rewriter, texts, items); errors.As(err, &long) {
		var fit [][]byte
		for i, t := range texts {
			if _, err = rewriter.Read([][]byte{t}); errors.As(err, &long) {
				d.results[items[i]].Error = tooLong(long)
			} else {
				fit = append(fit, t)
			}
		}
		d.pending, err = rewriter.Read(fit)
	}
	return d, err
}

// memory returns the bytes per token of the draft when it is drawn.
func (d *draft) memory(req *RewriteRequest) int64 {
	if req.Pieces {
		return tokenMemory + pieceMemory
	}
	return tokenMemory
}

// tooLong returns the limits that would allow a text beyond its cap.
func tooLong(e *sotto.BudgetError) string {
	return fmt.Sprintf("has %d tokens, must have at most %d; document_tokens of %d or more would allow it, with a smaller epsilon per token, and over clamp would replace the later tokens by random words",
		e.Tokens, e.Allowed, e.Tokens)
}

// draw computes the answer. It runs after the charge, so nothing ends it early.
func (d *draft) draw(ctx context.Context, req *RewriteRequest, receipt *Receipt) ([]byte, error) {
	private, err := d.pending.Draw(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	return d.respond(req, private, d.pending.Counts().Draws, receipt)
}

// respond encodes the answer.
func (d *draft) respond(req *RewriteRequest, private [][]byte, draws int, receipt *Receipt) ([]byte, error) {
	var pieces [][]string
	if req.Pieces {
		pieces = d.pending.Pieces()
	}
	for i := range d.results {
		if d.results[i].Error != "" {
			continue
		}
		text := string(private[0])
		d.results[i].Text, private = &text, private[1:]
		if req.Pieces {
			d.results[i].Pieces, pieces = pieces[0], pieces[1:]
		}
	}
	counts := d.pending.Counts()
	a := RewriteResponse{
		Results: d.results, Mechanism: d.rewriter.Entry().Name, Standing: d.rewriter.Entry().Standing,
		Claim: d.rewriter.Claim(), Draws: draws, Receipt: receipt,
	}
	if a.Claim.Unit != privacy.Text {
		a.Tokens = &counts.Tokens
	}
	if req.Report || req.DocumentEpsilon != nil {
		statement := d.rewriter.Statement(counts)
		if f := statement.Cap; f != nil {
			a.Document = &Capped{f.Total, f.Delta, f.Allowed, string(f.Composition), f.ClampedDocuments, f.ClampedTokens}
		}
		if req.Report {
			a.Statement = &statement
		}
	}
	return encode(a)
}
