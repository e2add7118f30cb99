package server

import (
	"net/http"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
)

// config converts a request's opening to sotto's Config, and refuses settings that no
// request may have.
func (s *Server) config(o *wire.Opening, how reading) (sotto.Config, error) {
	cfg := sotto.Config{Mechanism: o.Mechanism, Notion: privacy.Notion(o.Notion), Parameters: o.Given(), Cache: s.cfg.Cache}
	how.apply(&cfg)
	for _, check := range []func(*wire.Opening, *sotto.Config) error{s.takeEpsilon, s.takeMember, s.takeVocabulary, s.takeUnit, s.takeMeaning, s.takeStanding} {
		if err := check(o, &cfg); err != nil {
			return cfg, err
		}
	}
	if !s.cfg.Slow && s.slow(o, cfg) {
		return cfg, wire.NewProblem(http.StatusForbidden, "slow-opening", "with this table and these parameters the mechanism takes long to open: the server must be started with slow openings allowed")
	}
	return cfg, nil
}

// takeEpsilon takes the epsilon of a request. A cap may choose it.
func (s *Server) takeEpsilon(o *wire.Opening, cfg *sotto.Config) error {
	switch {
	case o.Seed != nil || o.InsecureSeed != nil:
		return wire.NewProblem(http.StatusBadRequest, "seed-refused", "a seeded draw does not protect the text from anyone who knows the seed: leave out seed")
	case o.Epsilon != nil:
		cfg.Epsilon = *o.Epsilon
		return privacy.CheckEpsilon("serve", cfg.Epsilon)
	case cfg.DocumentEpsilon == 0:
		return privacy.Bad("serve", "epsilon", nil, "given: it has no default")
	}
	return nil
}

// takeMember checks the mechanism's name and its parameters.
func (s *Server) takeMember(o *wire.Opening, cfg *sotto.Config) error {
	if _, ok := catalog.Find(o.Mechanism); !ok && o.Mechanism != "" {
		return &sotto.UnknownMechanismError{}
	}
	if o.Notion != "" && o.Notion != "pure" && o.Notion != "metric" {
		return privacy.Bad("serve", "notion", nil, "pure or metric")
	}
	for name, value := range cfg.Parameters {
		if catalog.NamesFile(name) { // and the configuration opens no file
			return wire.NewProblem(http.StatusForbidden, "file-refused", "a request may not give a parameter that names a file")
		}
		if len(name) > 64 || len(value) > 64 {
			return privacy.Bad("serve", "parameters", nil, "names and values of at most 64 bytes")
		}
	}
	return nil
}

// takeVocabulary finds the table or the model.
func (s *Server) takeVocabulary(o *wire.Opening, cfg *sotto.Config) error {
	cfg.Table = s.cfg.Tables[0]
	if o.Embeddings != "" {
		if cfg.Table = s.tables[o.Embeddings]; cfg.Table == nil {
			return privacy.Bad("serve", "embeddings", nil, "the name of one of the server's tables")
		}
	}
	if e, _ := catalog.Find(o.Mechanism); e.NewLatent != nil && s.cfg.Model != nil {
		if o.Embeddings != "" || o.Words != nil {
			return privacy.Bad("serve", "embeddings", nil, "left out: the vocabulary is the model's")
		}
		cfg.Model = s.cfg.Model
	}
	if o.Words != nil && (*o.Words < 1 || *o.Words > cfg.Table.Len()) {
		return privacy.Bad("serve", "words", *o.Words, "1 to "+strconv.Itoa(cfg.Table.Len()))
	}
	return nil
}

// takeUnit takes the unit that epsilon protects and, for whole texts, the corpus. Texts
// are always compared with the corpus, whatever is drawn, because clients see how long an
// answer takes.
func (s *Server) takeUnit(o *wire.Opening, cfg *sotto.Config) error {
	switch {
	case o.Unit != "" && o.Unit != "word" && o.Unit != "text":
		return privacy.Bad("serve", "unit", nil, "word or text")
	case o.Unit == "word" && o.Corpus != "":
		return privacy.Bad("serve", "corpus", nil, "left out with unit word: a corpus replaces whole texts")
	}
	if o.Whole() || cfg.Model != nil {
		if err := s.checkListed(); err != nil {
			return err
		}
	}
	switch {
	case !o.Whole():
		if entry, _ := catalog.Find(o.Mechanism); o.Mechanism != "" && entry.New == nil && entry.NewRetriever != nil {
			return privacy.Bad("serve", "unit", o.Unit, "text, or left out: this member replaces whole texts")
		}
		return nil
	case cfg.Unit == privacy.Word:
		return privacy.Bad("serve", "consistent", nil, "left out with unit text: it applies to words")
	}
	if o.Unit == "text" {
		cfg.Unit = privacy.Text
	}
	if cfg.Model != nil {
		if o.Corpus != "" {
			return privacy.Bad("serve", "corpus", nil, "left out: this mechanism uses the model")
		}
		return nil
	}
	c := s.codebookOf(o)
	switch {
	case c == nil && o.Corpus != "":
		return privacy.Bad("serve", "corpus", nil, "the name of one of the server's corpora")
	case c == nil: // the mechanism reports why it does not open
		return nil
	case o.Embeddings != "" || o.Words != nil:
		return privacy.Bad("serve", "embeddings", nil, "left out, and words too: the corpus names the table of its encoder")
	}
	cfg.Unit, cfg.Corpus, cfg.Table = privacy.Text, c.Corpus, nil
	return nil
}

// takeMeaning takes what epsilon means: the certified loss or the paper's parameter.
func (s *Server) takeMeaning(o *wire.Opening, cfg *sotto.Config) error {
	switch o.Calibrate {
	case "", "certified":
	case "published":
		cfg.Published = true
	default:
		return privacy.Bad("serve", "calibrate", nil, "certified or published")
	}
	return nil
}

// takeStanding takes the lowest standing that the request accepts.
func (s *Server) takeStanding(o *wire.Opening, cfg *sotto.Config) error {
	switch o.Accept {
	case "":
	case "refuted", "stated":
		_ = cfg.Accept.UnmarshalText([]byte(o.Accept)) // it is a standing
		if s.cfg.Accept == privacy.Unknown || cfg.Accept < s.cfg.Accept {
			return wire.NewProblem(http.StatusForbidden, "standing-not-allowed", "this server does not allow mechanisms of this standing")
		}
	default:
		return privacy.Bad("serve", "accept", nil, "refuted or stated")
	}
	return nil
}
