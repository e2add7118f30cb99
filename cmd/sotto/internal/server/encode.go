package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/corpus/program"
	"github.com/sotto-dp/sotto/synthesis"
)

// brought reports whether a corpus has vectors of an encoder of the operator's.
func brought(c *corpus.Corpus) bool { return c.Card().Encoder.Kind == corpus.Brought }

// encoding is the encoder of the operator's. Its errors become a problem, and nothing of them
// is shown: they may depend on the texts.
type encoding struct {
	corpus.TextEncoder
	wait time.Duration // for the turn of a request
	log  *slog.Logger
}

func (e encoding) Vectors(ctx context.Context, texts [][]byte) ([][]float64, error) {
	return answered(ctx, e, func(ctx context.Context) ([][]float64, error) { return e.TextEncoder.Vectors(ctx, texts) })
}

// Probes returns the probes, for which the encoder is asked once.
func (e encoding) Probes(ctx context.Context) (string, error) {
	return answered(ctx, e, func(ctx context.Context) (string, error) { return corpus.Probes(ctx, e.TextEncoder) })
}

// answered returns what the encoder answers within the time of a request.
func answered[T any](ctx context.Context, e encoding, ask func(context.Context) (T, error)) (answer T, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.wait)
	defer cancel()
	if answer, err = ask(ctx); err == nil {
		return answer, nil
	}
	var of *program.Error
	if errors.As(err, &of) { // it has no part of a text
		e.log.Error("the encoder failed", "cause", of.What)
	}
	return answer, wire.NewProblem(http.StatusServiceUnavailable, "encoder-failed", "the program that makes the vectors of texts gave none: nothing was charged or released; the server's log has the cause").After(5)
}

// recordsOf returns the records of a request, with vectors where the operator's encoder makes
// them. It runs before the charge, since the encoder may fail.
func (s *Server) recordsOf(ctx context.Context, book *codebook, req *wire.SynthesizeRequest) ([]synthesis.Record, error) {
	records := make([]synthesis.Record, len(req.Records))
	texts := make([][]byte, len(req.Records))
	for i, r := range req.Records {
		records[i], texts[i] = synthesis.Record{Text: r.Text, User: r.User}, r.Text
		for _, label := range r.Labels {
			records[i].Labels = append(records[i].Labels, label)
		}
	}
	if !brought(book.Corpus) {
		return records, nil
	}
	vectors, err := s.encode().Vectors(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, v := range vectors {
		records[i].Vector = v
	}
	return records, nil
}

// encode returns the encoder for requests.
func (s *Server) encode() corpus.TextEncoder {
	return encoding{s.cfg.Encode, s.limits.WorkTime(), s.log}
}
