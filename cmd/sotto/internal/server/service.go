package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/till"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"golang.org/x/sync/singleflight"
)

// Config configures a server. The zero value serves the embedded table without accounts,
// on loopback.
type Config struct {
	// Tables are the vocabularies that a request may name; the first is the default.
	// Empty means the embedded English table. If words of a list were removed from one of
	// them, requests for whole texts are refused, because a corpus or a model may contain
	// these words.
	Tables []*embedding.Table
	// Corpora are the corpora of whole texts that a request may name, each declared
	// public and with an encoder; the first is the default. Empty means the embedded
	// corpus. They must stay open while the server runs.
	Corpora []*corpus.Corpus
	// Encode makes the vectors of texts for the Corpora that were built with its vectors; nil
	// refuses such corpora. All requests share it. The caller closes it after Serve.
	Encode corpus.TextEncoder
	Ledger *ledger.Ledger // nil: no accounts. The caller closes it after Serve.
	Keys   *gate.Keys     // nil: no authentication, loopback only
	// RequireAccount refuses to rewrite without charging an account.
	RequireAccount bool
	// Accept is the lowest standing that a request may accept by name. With the zero
	// value requests can open proved mechanisms only.
	Accept privacy.Standing
	// Model rewrites whole texts for requests that name a mechanism for it. Its corpus
	// must be declared public. With nil no request can name one.
	Model *autoencoder.Model
	// Language writes the texts of synthetic corpora for requests with from_model. It must
	// be declared public. With nil, requests with from_model are refused.
	Language *language.Model
	// Spans allows requests that rewrite only what their spans mark, under a claim that is
	// conditional on the spans.
	Spans bool
	// Slow allows mechanisms that compute for a long time before they open.
	Slow bool
	// Playground serves a page at the root, and the endpoints that it needs.
	Playground bool
	Cache      mechanism.Cache // cache of calibrations; nil caches nothing
	Log        *slog.Logger    // nil logs nothing
	Limits     gate.Limits
}

// Server serves one configuration.
type Server struct {
	cfg       Config
	limits    gate.Limits
	log       *slog.Logger
	tables    map[string]*embedding.Table
	english   string // digest of the embedded table
	codebooks []*codebook
	openings  *gate.Openings[*sotto.Rewriter]
	plans     *gate.Openings[*corpusPlan]
	metrics   *gate.Metrics
	handler   http.Handler
	accounts  till.Accounts // of the ledger; nil for none
	openAPI   []byte
	page      []gate.Route // of the playground

	gate       *gate.Gate
	ready      singleflight.Group // of questions to the ledger
	explaining *gate.Turns        // places for explanations, which are large
	computing  *gate.Turns        // the place for figures, which take long
	stopping   atomic.Bool
}

const (
	// figuresWords bounds tables, since figures of a channel need all pairs of words.
	figuresWords = 25000
	figuresTime  = 45 * time.Second
)

// alone runs one long computation at a time, within figuresTime.
func (s *Server) alone(ctx context.Context, compute func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, figuresTime)
	defer cancel()
	leave, err := s.computing.Take(ctx)
	if err != nil {
		return stillComputing()
	}
	defer leave()
	err = compute(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return stillComputing()
	}
	return err
}

func stillComputing() error {
	return wire.NewProblem(http.StatusServiceUnavailable, "computing", "the figures took too long to compute").After(30)
}
