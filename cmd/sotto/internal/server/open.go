package server

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/request"
)

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
	switch entry.Cost {
	case mechanism.Free:
		return false
	case mechanism.Pass:
		return capped
	}
	return capped || r.Whole() || s.tables[r.Embeddings].Digest() != s.english || !entry.Ships(words, len(r.Param))
}
