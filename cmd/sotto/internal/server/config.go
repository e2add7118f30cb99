package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// Names of what a request cannot name itself.
const (
	ownModel = "the server's"
	ownSpans = "the request's"
)

// asked returns what a request asks for, checked and with what the server chooses, and
// refuses what no request may have.
func (s *Server) asked(o *wire.Opening, how reading) (request.Request, error) {
	r := o.Request()
	r.Consistent, r.Scoped, r.Cap, r.Param, r.Parameters = how.consistent || how.scoped, how.scoped, how.cap, request.ParamOf(r.Values()), request.Parameters{}
	if how.marked {
		r.Spans = ownSpans
	}
	r.Typed, r.StrictTypes = how.typed, how.strict
	entry, _ := catalog.Find(o.Mechanism)
	if entry.NewLatent != nil && s.cfg.Model != nil {
		r.Model = ownModel
	}
	if err := s.admit(o, &r); err != nil {
		return r, err
	}
	if err := r.Check("serve"); err != nil {
		var conflict *request.ConflictError
		if errors.As(err, &conflict) && !how.consistent && conflict.Field == "consistent" {
			conflict.Field = "scope" // which implies it
		}
		return r, err
	}
	switch book := s.codebookOf(o); {
	case r.Whole() && o.Embeddings != "" && r.Model != "":
		return r, privacy.Unwanted("serve", "embeddings", "with a model: the vocabulary is the model's")
	case r.Whole() && o.Embeddings != "":
		return r, privacy.Unwanted("serve", "embeddings", "with a corpus, nor can words: the corpus names the table of its encoder")
	case book != nil:
		r.Corpus = book.Name()
	case o.Corpus != "" && r.Whole():
		return r, privacy.Bad("serve", "corpus", nil, "the name of one of the server's corpora")
	case !r.Whole() && o.Embeddings == "":
		r.Embeddings = s.cfg.Tables[0].Name()
	}
	if !r.Whole() {
		if err := s.admitTable(&r); err != nil {
			return r, err
		}
	}
	return r, s.admitTime(&r)
}

// admitTable refuses tables that the server does not have, and more words than one has.
func (s *Server) admitTable(r *request.Request) error {
	table, err := s.table(r.Embeddings)
	switch {
	case err != nil:
		return err
	case r.Words != nil && (*r.Words < 1 || *r.Words > table.Len()):
		return privacy.Bad("serve", "words", *r.Words, "1 to "+strconv.Itoa(table.Len()))
	case r.Words != nil && table.Never() != nil:
		return privacy.Unwanted("serve", "words", "here: this server's tables are without some words")
	}
	return nil
}

// table returns one of the server's tables.
func (s *Server) table(name string) (*embedding.Table, error) {
	t := s.tables[name]
	if t == nil {
		return nil, privacy.Bad("serve", "embeddings", nil, "the name of one of the server's tables")
	}
	return t, nil
}

// admit refuses what the server does not allow.
func (s *Server) admit(o *wire.Opening, r *request.Request) error {
	if o.Seed != nil || o.InsecureSeed != nil {
		return wire.NewProblem(http.StatusBadRequest, "seed-refused", "a seeded draw does not protect the text from anyone who knows the seed: leave out seed")
	}
	for name, value := range r.Param {
		if catalog.NamesFile(name) { // and the configuration opens no file
			return wire.NewProblem(http.StatusForbidden, "file-refused", "a request may not give a parameter that names a file")
		}
		if len(name) > 64 || len(value) > 64 {
			return privacy.Bad("serve", "parameters", nil, "names and values of at most 64 bytes")
		}
	}
	if r.Whole() || r.Model != "" {
		if err := s.checkListed(); err != nil {
			return err
		}
	}
	var least privacy.Standing
	if r.Accept != "" && least.UnmarshalText([]byte(r.Accept)) == nil && (s.cfg.Accept == privacy.Unknown || least < s.cfg.Accept) {
		return wire.NewProblem(http.StatusForbidden, "standing-not-allowed", "this server does not allow mechanisms of this standing")
	}
	return nil
}

// sources open the server's own tables, corpora and model by name, and no file. Texts are always
// compared with the corpus, whatever is drawn, because clients see how long an answer takes.
func (s *Server) sources() request.Sources {
	return request.Sources{
		Table: func(_ context.Context, name string) (*embedding.Table, error) { return s.table(name) },
		Corpus: func(_ context.Context, name string) (*corpus.Corpus, error) {
			return s.codebookOf(&wire.Opening{Protected: request.Protected{Corpus: name}}).Corpus, nil
		},
		Encode: func(context.Context, *corpus.Corpus, string) (corpus.TextEncoder, error) { return s.encode(), nil },
		Model:  func(context.Context, string) (*autoencoder.Model, error) { return s.cfg.Model, nil },
		Cache:  s.cfg.Cache,
	}
}

// admitTime refuses a request that would keep a processor busy for seconds to hours.
func (s *Server) admitTime(r *request.Request) error {
	if !s.cfg.Slow && s.slow(r) {
		return wire.NewProblem(http.StatusForbidden, "slow-opening", "with this table and these parameters the mechanism takes long to open: the server must be started with slow openings allowed")
	}
	return nil
}

// reading holds the settings of how texts are read, apart from the mechanism.
type reading struct {
	consistent, scoped, marked, typed, strict bool
	cap                                       request.Cap
}

// open returns the mechanism that a request names, cached or newly opened.
func (s *Server) open(ctx context.Context, o *wire.Opening, how reading) (*sotto.Rewriter, error) {
	asked, err := s.asked(o, how)
	if err != nil {
		return nil, err
	}
	key, err := json.Marshal([]any{asked, how.scoped})
	if err != nil {
		return nil, err
	}
	return s.openings.Get(ctx, string(key), func(ctx context.Context) (*sotto.Rewriter, error) {
		cfg, err := asked.Config(ctx, "serve", s.sources())
		if err != nil {
			return nil, err
		}
		r, err := sotto.Open(ctx, cfg)
		if err != nil {
			return nil, &wire.OpenError{Err: err}
		}
		r.TableDigest() // computed here because charges in metric units need it
		return r, nil
	})
}

// fewWords are compared with each other in well under a second.
const fewWords = 1000

// slow reports whether no calibration or channel ships for an opening, so that it would
// keep a processor busy for seconds to hours.
func (s *Server) slow(r *request.Request) bool {
	entry, ok := r.Member()
	if !ok || r.Whole() && entry.NewRetriever == nil && entry.NewLatent == nil { // sotto.Open reports it
		return false
	}
	capped, words := r.DocumentEpsilon != nil, 0
	if r.Words != nil {
		words = *r.Words
	}
	if table := s.tables[r.Embeddings]; entry.OverPairs(r.Values()) && table != nil && cmp.Or(words, table.Len()) > fewWords {
		return true
	}
	switch entry.Cost {
	case mechanism.Free:
		return false
	case mechanism.Pass:
		return capped
	}
	return capped || r.Whole() || s.tables[r.Embeddings].Digest() != s.english || !entry.Ships(words, len(r.Param))
}
