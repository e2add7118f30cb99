package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
)

func (s *Server) rewrite(w http.ResponseWriter, r *http.Request, e *exchange) error {
	var req RewriteRequest
	if err := s.read(e, r, &req); err != nil {
		return err
	}
	whole := req.whole()
	e.sized = !whole
	if err := s.admitTexts(e, len(req.Texts)); err != nil {
		return err
	}
	idempotency, err := idempotencyKey(r.Header)
	if err != nil {
		return err
	}
	if err := s.checkPayment(req.Account, idempotency, e.key); err != nil {
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), chargeTime)
	defer cancel()
	pay := s.pay
	if req.Scope != "" {
		pay = s.payScoped
	}
	body, replayed, err := pay(ctx, d, &req, idempotency, e)
	if err != nil {
		return err
	}
	if replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	s.metrics.draws(rewriter.Entry().Name, claim.Unit, counts, replayed)
	send(w, http.StatusOK, body)
	return nil
}

// checkPayment refuses requests that cannot or may not be charged.
func (s *Server) checkPayment(account Name, idempotency string, k *key) error {
	if !k.permits(string(account)) {
		return problem(http.StatusForbidden, "not-permitted", "this key may not charge that account")
	}
	if account == "" {
		if s.cfg.RequireAccount {
			return privacy.Bad("serve", "account", nil, "given: this server releases nothing without an account to charge")
		}
		if idempotency != "" {
			return problem(http.StatusBadRequest, "account-needed", "an idempotency key needs an account: the answer is stored with the charge")
		}
		return nil
	}
	if s.cfg.Ledger == nil {
		return problem(http.StatusBadRequest, "no-ledger", "this server has no accounts: it was started without a ledger")
	}
	return ledger.CheckAccount(string(account))
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

// pay charges for a draft and draws it. If an earlier request with the same key was
// answered, it returns that answer and draws nothing.
func (s *Server) pay(ctx context.Context, d *draft, req *RewriteRequest, idempotency string, e *exchange) (body []byte, replayed bool, err error) {
	if req.Account == "" {
		body, err = d.draw(ctx, req, nil)
		return body, false, err
	}
	charge, err := d.charge(req, idempotency)
	if err != nil {
		return nil, false, err
	}
	return s.charged(ctx, charge, e, func(r *Receipt) ([]byte, error) { return d.draw(ctx, req, r) })
}

// charged makes a charge and then the answer that it pays for, which is kept if the
// charge has a key. If the charge was answered before, it returns that answer and calls
// nothing.
func (s *Server) charged(ctx context.Context, charge ledger.Charge, e *exchange, answer func(*Receipt) ([]byte, error)) (body []byte, replayed bool, err error) {
	began := time.Now()
	receipt, err := s.cfg.Ledger.Charge(ctx, charge)
	s.noteCharge(e, began, charge.Account, err)
	if err != nil {
		return nil, false, ledgerFailure(err, e)
	}
	e.note = append(e.note, slog.Int64("charge", receipt.Entry.Seq), slog.Bool("replayed", receipt.Replayed))
	if receipt.Answered {
		return receipt.Answer, true, nil
	}
	if receipt.Replayed {
		if err := s.sameUnits(ctx, charge, receipt); err != nil {
			return nil, false, ledgerFailure(err, e)
		}
	}
	if body, err = answer(receiptOf(receipt)); err != nil || charge.Key == "" {
		return body, false, err
	}
	if body, err = s.cfg.Ledger.Answer(ctx, charge.Account, charge.Key, body); err != nil {
		return nil, false, ledgerFailure(err, e)
	}
	return body, false, nil
}

// charge returns the cost of the draft, with a digest that identifies a retry of the same
// request.
func (d *draft) charge(req *RewriteRequest, idempotency string) (c ledger.Charge, err error) {
	if c, err = d.unitCharge(req); err != nil {
		return c, err
	}
	c.Key = idempotency
	if c.Cost, err = ledger.Cost(d.rewriter.Claim(), d.pending.Draws()); err != nil || idempotency == "" {
		return c, err
	}
	whole, err := json.Marshal(req)
	c.Request = sha256.Sum256(whole)
	return c, err
}

// unitCharge returns the cost of one draw.
func (d *draft) unitCharge(req *RewriteRequest) (c ledger.Charge, err error) {
	claim := d.rewriter.Claim()
	if claim.Notion == privacy.None {
		return c, problem(http.StatusUnprocessableEntity, "no-price", "the mechanism has no finite loss: no account can pay for it")
	}
	c = ledger.Charge{Account: string(req.Account), Basis: ledger.BasisOf(claim, d.rewriter.TableDigest()), Party: accountant.PartyOf(claim)}
	c.Cost, err = ledger.Cost(claim, 1)
	return c, err
}

// sameUnits checks that an earlier charge, perhaps from before a restart, pays for what
// would be drawn now: the table or the mechanism may have changed.
func (s *Server) sameUnits(ctx context.Context, now ledger.Charge, earlier ledger.Receipt) error {
	account, err := s.cfg.Ledger.Account(ctx, now.Account)
	if err != nil {
		return err
	}
	if err := account.Takes(now.Basis, now.Party); err != nil {
		return err
	}
	if recorded := earlier.Entry.Party; recorded.Unit != "" && recorded != now.Party || earlier.Entry.Amount != now.Cost {
		return problem(http.StatusConflict, "cost-changed", "the charge under this idempotency key had another cost: use a new key")
	}
	return nil
}

// ledgerFailure distinguishes refusals of the ledger from failures of its store, after
// which nothing may be released.
func ledgerFailure(err error, e *exchange) error {
	if p := problemOf(err); p.Type != "internal" {
		return err
	}
	e.cause = err
	p := problem(http.StatusServiceUnavailable, "ledger-unavailable", "the ledger could not be written: nothing was released; a retry under the same idempotency key is charged once")
	p.retry = 1
	return p
}
