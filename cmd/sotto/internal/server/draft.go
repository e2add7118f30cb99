package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text"
)

// draft is a request that is counted and not yet drawn.
type draft struct {
	rewriter *sotto.Rewriter
	pending  *sotto.Pending
	results  []wire.Result // refused items hold their error
}

// newDraft reads the texts. Where the length of what is drawn for is hidden, as that of a whole
// text or of a mark within its type, texts are bounded by the size of the body only: refusing a
// long one would reveal its length.
func (s *Server) newDraft(e *gate.Exchange, req *wire.RewriteRequest, rewriter *sotto.Rewriter) (d *draft, err error) {
	d = &draft{rewriter: rewriter, results: make([]wire.Result, len(req.Texts))}
	longest := s.limits.Text
	if rewriter.Claim().Unit.HidesLength() {
		longest = math.MaxInt
	}
	if c := s.codebookOf(&req.Opening); c != nil {
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
		case req.SpansFault(i) != "":
			d.results[i].Error = req.SpansFault(i)
		case req.Typed && rewriter.CheckMarks(req.Spans[i]) != nil:
			d.results[i].Error = rewriter.CheckMarks(req.Spans[i]).Error()
		default:
			texts, items = append(texts, []byte(*t)), append(items, i)
		}
	}
	var long *sotto.BudgetError
	if d.pending, err = readItems(req, rewriter, texts, items); errors.As(err, &long) {
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
func (d *draft) memory(req *wire.RewriteRequest) int64 {
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
func (d *draft) draw(ctx context.Context, req *wire.RewriteRequest, receipt *wire.Receipt) ([]byte, error) {
	private, err := d.pending.Draw(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	return d.respond(req, private, d.pending.Counts().Draws, receipt)
}

// respond encodes the answer.
func (d *draft) respond(req *wire.RewriteRequest, private [][]byte, draws int, receipt *wire.Receipt) ([]byte, error) {
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
	a := wire.RewriteResponse{
		Results: d.results, Mechanism: d.rewriter.Entry().Name, Standing: d.rewriter.Entry().Standing,
		Claim: d.rewriter.Claim(), Draws: draws, Receipt: receipt,
	}
	if a.Claim.Unit != privacy.Text && !req.Typed {
		a.Tokens = &counts.Tokens
	}
	if req.Report || req.DocumentEpsilon != nil || req.Typed {
		statement := d.rewriter.Statement(counts)
		if req.Typed { // of the types that occur
			a.Claim = statement.Claim
		}
		if statement.Untyped != nil {
			untyped := *statement.Untyped
			untyped.Certificate = nil // in the statement
			a.Untyped = &untyped
		}
		if f := statement.Cap; f != nil {
			a.Document = &wire.Capped{Epsilon: f.Total, Delta: f.Delta, Tokens: f.Allowed, Composition: string(f.Composition), ClampedTexts: f.ClampedDocuments, ClampedTokens: f.ClampedTokens}
		}
		if req.Report {
			a.Statement = &statement
		}
	}
	return wire.Encode(a)
}

// charge returns the cost of the draft.
func (d *draft) charge(req *wire.RewriteRequest) (ledger.Charge, error) {
	return d.price(req, d.pending.Draws())
}

// price returns the charge for a number of draws of the draft.
func (d *draft) price(req *wire.RewriteRequest, draws int64) (ledger.Charge, error) {
	claim := d.rewriter.Claim()
	if claim.Notion == privacy.None {
		return ledger.Charge{}, wire.NewProblem(http.StatusUnprocessableEntity, "no-price", "the mechanism has no finite loss: no account can pay for it")
	}
	c, err := ledger.Price(claim, d.rewriter.TableDigest(), draws)
	c.Account = string(req.Account)
	return c, err
}

// readItems reads texts, with the spans of their items where the request has spans.
func readItems(req *wire.RewriteRequest, r *sotto.Rewriter, texts [][]byte, items []int) (*sotto.Pending, error) {
	if req.Spans == nil {
		return r.Read(texts)
	}
	spans := make([]text.Spans, len(items))
	for i, item := range items {
		spans[i] = req.Spans[item]
	}
	return r.ReadSpans(texts, spans, sotto.Position{})
}
