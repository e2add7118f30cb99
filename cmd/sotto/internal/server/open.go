package server

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// reading holds the settings of how texts are read, apart from the mechanism.
type reading struct {
	consistent, scoped, marked bool
	cap                        wire.Cap
}

// apply copies the settings into cfg.
func (h *reading) apply(cfg *sotto.Config) {
	if h.consistent {
		cfg.Unit = privacy.Word
	}
	cfg.Scoped, cfg.Marked = h.scoped, h.marked
	if h.cap.DocumentEpsilon != nil {
		cfg.DocumentEpsilon, cfg.DocumentDelta = *h.cap.DocumentEpsilon, h.cap.DocumentDelta
		cfg.DocumentTokens, cfg.Over = h.cap.DocumentTokens, sotto.Over(h.cap.Over)
	}
}

// open returns the mechanism that a request names, cached or newly opened.
func (s *Server) open(ctx context.Context, o *wire.Opening, how reading) (*sotto.Rewriter, error) {
	cfg, err := s.config(o, how)
	if err != nil {
		return nil, err
	}
	words := 0
	if o.Words != nil {
		words = *o.Words
	}
	vocabulary := ""
	if cfg.Table != nil {
		vocabulary = cfg.Table.Name()
	}
	key, err := json.Marshal([]any{vocabulary, cfg.Unit, o.Corpus, words, cfg.Mechanism, cfg.Notion, cfg.Epsilon, cfg.Parameters, cfg.Published, cfg.Accept, how.consistent, how.scoped, how.marked, how.cap})
	if err != nil {
		return nil, err
	}
	return s.openings.Get(ctx, string(key), func(ctx context.Context) (*sotto.Rewriter, error) {
		if words > 0 && cfg.Table.Never() != nil {
			return nil, privacy.Bad("serve", "words", words, "left out: this server's tables are without some words")
		}
		if words > 0 {
			var err error
			if cfg.Table, err = cfg.Table.First(words); err != nil {
				return nil, err
			}
		}
		if cfg.Model != nil {
			cfg.Table = nil // the vocabulary is the model's
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
func (s *Server) slow(o *wire.Opening, cfg sotto.Config) bool {
	name, err := cfg.Member()
	if err != nil { // sotto.Open reports it
		return false
	}
	entry, _ := catalog.Find(name)
	words := 0
	if o.Words != nil {
		words = *o.Words
	}
	switch entry.Cost {
	case mechanism.Free:
		return false
	case mechanism.Pass:
		return cfg.DocumentEpsilon != 0
	}
	return cfg.DocumentEpsilon != 0 || cfg.Table == nil || cfg.Table.Digest() != s.english || !entry.Ships(words, len(cfg.Parameters))
}
