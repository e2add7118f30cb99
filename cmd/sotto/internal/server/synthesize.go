package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/synthesis"
)

const (
	// recordMemory is per record and value of the body: the record itself, its fields and
	// its votes.
	recordMemory = 256
	// cellMemory is per cell: its count, its noisy count, and shares of it.
	cellMemory = 48
	// recordValues bounds the values of a record: text, user and some labels.
	recordValues = 8
)

// synthesize makes a private copy of a corpus. How many records there are and how long
// they are is private: the log has neither sizes nor times.
func (s *Server) synthesize(e *gate.Exchange, r *http.Request, p *till.Payment) error {
	var req wire.SynthesizeRequest
	if err := e.Decode(&req); err != nil {
		return err
	}
	if len(req.Records) > s.limits.Texts {
		return privacy.Bad("serve", "records", len(req.Records), fmt.Sprintf("at most %d", s.limits.Texts))
	}
	values := len(req.Records)
	for i := range req.Records {
		values += len(req.Records[i].Labels)
	}
	if err := e.Reserve(int64(values) * recordMemory); err != nil {
		return err
	}
	if err := s.checkPayment(req.Account, p, e.Key); err != nil {
		return err
	}
	plan, book, err := s.plan(r.Context(), &req)
	if err != nil {
		return err
	}
	if err := s.compare(book, len(req.Records)); err != nil {
		return err
	}
	most, row, err := s.rows(plan, book)
	if err != nil {
		return err
	}
	rows := req.Size
	switch {
	case rows == 0:
		rows = most
	case rows > most:
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-many-texts", fmt.Sprintf("the model may write %d texts for a request: ask for a smaller size", most)).Of(int(most), int(rows))
	}
	cells := int64(plan.Cells()) * cellMemory
	if most := s.limits.Memory / 2; cells > most {
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-many-cells", fmt.Sprintf("the labels and clusters have %d cells, a request may count %d: expect fewer records, or name fewer labels", plan.Cells(), most/cellMemory)).Of(int(most/cellMemory), plan.Cells())
	}
	vectors := int64(len(req.Records)) * int64(book.vectorMemory())
	if err := e.Reserve(cells + rows*row + vectors); err != nil {
		return err
	}
	records, err := s.recordsOf(r.Context(), book, &req)
	if err != nil {
		return err
	}
	// Counted before the charge: the time between the charge, which the ledger has, and the line
	// of the log does not depend on the records.
	counts := plan.NewCounts()
	counts.Add(plan.Vote(records))
	if err := r.Context().Err(); err != nil {
		return err
	}
	ctx, cancel := e.Committed(r.Context())
	defer cancel()
	body, replayed, err := s.payCorpus(ctx, plan.Plan, &req, counts, rows, p, e)
	if err != nil {
		return err
	}
	if replayed {
		wire.ReplayedHeader.Set(e, "true")
		s.metrics.Replays.Inc()
	}
	wire.Send(e, http.StatusOK, body)
	return nil
}

// stepProducts is how many component products take as long as one step of a language
// model.
const stepProducts = 5000

// rows returns how many rows a request may have, and the memory of each. A model writes no
// more rows than the limits of products and memory allow; both follow from public data.
func (s *Server) rows(plan *corpusPlan, book *codebook) (most, each int64, err error) {
	most, each = int64(s.limits.Texts), textMemory+2*book.longest+4*book.quoted
	if w := plan.writing; w.Steps > 0 {
		each = textMemory + 2*w.Bytes + 4*w.Quoted
		most = min(most, s.limits.Products/stepProducts/w.Steps, s.limits.Memory/2/each)
		if most == 0 {
			return 0, 0, wire.NewProblem(http.StatusRequestEntityTooLarge, "too-many-texts", "the texts of this corpus are too long for the model: leave out from_model")
		}
	}
	return most, each, nil
}

// plan opens the plan of a request, from what is public in it.
func (s *Server) plan(ctx context.Context, req *wire.SynthesizeRequest) (*corpusPlan, *codebook, error) {
	switch {
	case req.Seed != nil || req.InsecureSeed != nil:
		return nil, nil, wire.NewProblem(http.StatusBadRequest, "seed-refused", "a seeded draw does not protect the records from anyone who knows the seed: leave out seed")
	case req.Epsilon == nil:
		return nil, nil, privacy.Missing("serve", "epsilon", "it has no default")
	case req.Expect < 1:
		return nil, nil, privacy.Bad("serve", "expect", req.Expect, "1 or more: about how many records there are, a constant")
	case req.Size < 0 || req.Size > int64(s.limits.Texts):
		return nil, nil, privacy.Bad("serve", "size", req.Size, fmt.Sprintf("1 to %d", s.limits.Texts))
	case req.FromModel && s.cfg.Language == nil:
		return nil, nil, wire.NewProblem(http.StatusBadRequest, "no-language-model", "this server was started without a language model: leave out from_model")
	case req.ModelSeed != 0 && !req.FromModel:
		return nil, nil, privacy.Unwanted("serve", "model_seed", "without from_model")
	}
	if err := s.checkListed(); err != nil {
		return nil, nil, err
	}
	book := s.codebookOf(&wire.Opening{Protected: request.Protected{Unit: string(privacy.Text), Corpus: req.Corpus}})
	if book == nil {
		return nil, nil, privacy.Bad("serve", "corpus", nil, "the name of one of the server's corpora")
	}
	o := synthesis.Options{Corpus: book.Corpus, Epsilon: *req.Epsilon, Delta: req.Delta, Expect: req.Expect, PerUser: req.PerUser, Brought: brought(book.Corpus)}
	if req.FromModel {
		o.Model, o.ModelSeed = s.cfg.Language, req.ModelSeed
	}
	for i, by := range req.By {
		if slices.ContainsFunc(req.By[:i], func(earlier wire.SynthesizeColumn) bool { return earlier.Name == by.Name }) {
			return nil, nil, privacy.Wrong("serve", "by", "two columns have one name", "name each column once")
		}
		column, err := by.Column()
		if err != nil {
			return nil, nil, err
		}
		o.Columns = append(o.Columns, column)
	}
	key, err := json.Marshal([]any{book.Name(), o.Epsilon, o.Delta, o.Expect, o.PerUser, req.By, req.FromModel, req.ModelSeed})
	if err != nil {
		return nil, nil, err
	}
	plan, err := s.plans.Get(ctx, string(key), func(ctx context.Context) (_ *corpusPlan, err error) {
		if o.Brought {
			if o.Probes, err = corpus.Probes(ctx, s.encode()); err != nil {
				return nil, err
			}
		}
		plan, err := synthesis.New(ctx, o)
		if err != nil {
			return nil, &wire.OpenError{Err: err}
		}
		writing, err := plan.Writing(ctx)
		return &corpusPlan{plan, writing}, err
	})
	return plan, book, err
}

// payCorpus charges for a release and makes it; where the charge was answered before,
// nothing is drawn and that answer returns.
func (s *Server) payCorpus(ctx context.Context, plan *synthesis.Plan, req *wire.SynthesizeRequest, counts *synthesis.Counts, rows int64, p *till.Payment, e *gate.Exchange) (body []byte, replayed bool, err error) {
	if req.Account == "" {
		body, err = s.makeCorpus(ctx, plan, req, counts, rows, nil)
		return body, false, err
	}
	claim := plan.Claim()
	e.NoteClaim(claim)
	charge, err := ledger.Price(claim, "", 1)
	if err != nil {
		return nil, false, err
	}
	charge.Account = string(req.Account)
	return s.charged(ctx, p, charge, req, e, func(r *wire.Receipt) ([]byte, error) { return s.makeCorpus(ctx, plan, req, counts, rows, r) })
}

// makeCorpus adds noise to the counts and draws at most rows texts. It runs after the charge, so
// nothing ends it early.
func (s *Server) makeCorpus(ctx context.Context, plan *synthesis.Plan, req *wire.SynthesizeRequest, counts *synthesis.Counts, rows int64, receipt *wire.Receipt) ([]byte, error) {
	release, err := plan.Release(counts, nil)
	if err != nil {
		return nil, err
	}
	a := wire.SynthesizeResponse{Rows: []wire.SynthesizedRow{}, Claim: plan.Claim(), Counted: release.Counted(), RecordsNoisy: release.RecordsNoisy(), Receipt: receipt}
	size := req.Size
	if size == 0 {
		size = min(release.Size(), rows)
	}
	if size > 0 {
		err = release.Draw(context.WithoutCancel(ctx), size, nil, func(row synthesis.Row) error {
			a.Rows = append(a.Rows, wire.SynthesizedRow{Labels: append([]string{}, row.Labels...), Text: string(row.Text)})
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	if req.Report {
		statement := release.Statement()
		statement.Version = sotto.Version
		a.Statement = &statement
	}
	return wire.Encode(a)
}
