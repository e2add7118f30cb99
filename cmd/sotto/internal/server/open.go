package server

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
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
	cfg, err := s.config(ctx, asked, how)
	if err != nil {
		return nil, err
	}
	if asked.Words != nil && (*asked.Words < 1 || *asked.Words > cfg.Table.Len()) {
		return nil, privacy.Bad("serve", "words", *asked.Words, "1 to "+strconv.Itoa(cfg.Table.Len()))
	}
	key, err := json.Marshal([]any{asked, how.scoped})
	if err != nil {
		return nil, err
	}
	return s.openings.Get(ctx, string(key), func(ctx context.Context) (*sotto.Rewriter, error) {
		if asked.Words != nil {
			if cfg.Table.Never() != nil {
				return nil, privacy.Bad("serve", "words", *asked.Words, "left out: this server's tables are without some words")
			}
			var err error
			if cfg.Table, err = cfg.Table.First(*asked.Words); err != nil {
				return nil, err
			}
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
func (s *Server) slow(first *int, cfg sotto.Config) bool {
	name, err := cfg.Member()
	if err != nil { // sotto.Open reports it
		return false
	}
	entry, _ := catalog.Find(name)
	if cfg.Table == nil && entry.NewRetriever == nil && entry.NewLatent == nil { // the same
		return false
	}
	words := 0
	if first != nil {
		words = *first
	}
	switch entry.Cost {
	case mechanism.Free:
		return false
	case mechanism.Pass:
		return cfg.DocumentEpsilon != 0
	}
	return cfg.DocumentEpsilon != 0 || cfg.Table == nil || cfg.Table.Digest() != s.english || !entry.Ships(words, len(cfg.Parameters))
}
