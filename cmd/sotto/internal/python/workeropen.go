package python

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/charging"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/worker"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// session is an open rewriter or embedder.
type session struct {
	rewriter *sotto.Rewriter // nil for an embedder
	embedder *sotto.Embedder // nil for a rewriter
	payer    *charging.Payer // nil without an account
	bill     worker.Bill     // of the account
	marked   bool            // texts come with marks
	detect   bool            // marks of what has a shape are looked for
	brought  int             // components of the vectors that come in place of texts; 0 for texts
	book     *corpus.Corpus  // that has vectors of the same encoder; nil for texts
	entry    mechanism.Entry
	claim    privacy.Claim
}

// openOptions are the options of the operation open.
type openOptions struct {
	Use     string                     `json:"use"` // rewrite or embed
	Request map[string]json.RawMessage `json:"request"`
	Folder  *string                    `json:"folder"` // in which files are named
}

// rewriting is the part of a request that a session takes, and who pays. Other fields concern
// files, of which a session has none.
type rewriting struct {
	request.Opening
	request.Vocabulary
	request.InLanguage
	request.Listed
	request.Protected
	request.Latent
	request.Cap
	request.Distinct
	request.Placeholder
	request.Certified
	request.Seeded
	request.Payment
	request.Within
	Marked       bool `json:"marked"` // marks come with the texts of each call
	MarkPatterns bool `json:"mark_patterns"`
	Brought      bool `json:"brought"` // vectors come in place of texts
}

// embedding is the same for vectors.
type embedding struct {
	request.Opening
	request.Vocabulary
	request.InLanguage
	request.Listed
	request.Seeded
	request.Represented
	Brought bool `json:"brought"`
}

// openSession opens what a request describes.
func openSession(ctx context.Context, options json.RawMessage) (s *session, err error) {
	var o openOptions
	if err := json.Unmarshal(options, &o); err != nil {
		return nil, cli.WrongUsage("", "worker: the options of open are malformed")
	}
	open := map[string]func(context.Context, *openOptions) (*session, error){"rewrite": rewriteSession, "embed": embedSession}[o.Use]
	if open == nil {
		return nil, cli.WrongUsage("", "worker opens rewrite or embed, got %q", o.Use)
	}
	err = inFolder(o.Folder, func() error {
		s, err = open(ctx, &o)
		return err
	})
	return s, err
}

func rewriteSession(ctx context.Context, o *openOptions) (_ *session, err error) {
	var asked rewriting
	if err := request.Decode(o.Use, &asked, o.Request); err != nil {
		return nil, err
	}
	account := charging.AccountFlags{Payment: asked.Payment}
	if err := account.Check(asked.InsecureSeed != nil); err != nil {
		return nil, err
	}
	r := request.Request{Opening: asked.Opening, Vocabulary: asked.Vocabulary, InLanguage: asked.InLanguage, Listed: asked.Listed, Protected: asked.Protected, Latent: asked.Latent, Cap: asked.Cap,
		Distinct: asked.Distinct, Placeholder: asked.Placeholder, Certified: asked.Certified, Seeded: asked.Seeded, Within: asked.Within}
	if r.MarkPatterns = asked.MarkPatterns; asked.Marked {
		r.Spans = "of each call"
	}
	switch {
	case (asked.Marked || asked.MarkPatterns) && asked.Account != "":
		return nil, cli.WrongUsage("rewrite without marks to charge an account", "marks cannot be used with an account: it bounds the loss of texts, and a text with copied parts has no bound")
	case asked.KeepMap != "":
		return nil, cli.WrongUsage("", "--keep-map cannot be used here, where no file is written: give it to sotto rewrite --keep-map")
	}
	s := &session{marked: asked.Marked, detect: asked.MarkPatterns}
	cfg, err := r.Config(ctx, o.Use, s.sources(asked.Brought))
	if err != nil {
		return nil, err
	}
	if err := s.checkBrought(asked.Brought); err != nil {
		return nil, err
	}
	if s.rewriter, err = sotto.Open(ctx, cfg); err != nil {
		return nil, err
	}
	s.entry, s.claim = s.rewriter.Entry(), s.rewriter.Claim()
	// What the client puts beside the texts is not known.
	s.payer, err = account.OpenPayer(ctx, charging.Payment{Claim: s.claim, Table: s.rewriter.TableDigest()})
	return s, err
}

// sources are those of a session. With an encoder of the client's, they note the components of
// the corpus's vectors.
func (s *session) sources(brought bool) request.Sources {
	from := opening.Sources(nil)
	if brought {
		from.Encode = func(_ context.Context, c *corpus.Corpus, _ string) (corpus.TextEncoder, error) {
			s.brought, s.book = c.Dim(), c
			return nil, nil
		}
	}
	return from
}

// checkBrought refuses an encoder of the client's without its corpus.
func (s *session) checkBrought(brought bool) error {
	if brought && s.brought == 0 {
		return cli.WrongUsage("", "an encoder needs a corpus that was built with it")
	}
	return nil
}

func embedSession(ctx context.Context, o *openOptions) (*session, error) {
	var asked embedding
	if err := request.Decode(o.Use, &asked, o.Request); err != nil {
		return nil, err
	}
	s := &session{}
	e := request.Embedding{Opening: asked.Opening, Vocabulary: asked.Vocabulary, InLanguage: asked.InLanguage, Listed: asked.Listed, Seeded: asked.Seeded, Represented: asked.Represented}
	cfg, err := e.Config(ctx, o.Use, s.sources(asked.Brought))
	if err != nil {
		return nil, err
	}
	if err := s.checkBrought(asked.Brought); err != nil {
		return nil, err
	}
	if s.embedder, err = sotto.OpenEmbedder(ctx, cfg); err != nil {
		return nil, err
	}
	s.entry = s.embedder.Entry()
	s.claim = s.embedder.Statement(sotto.Counts{}).Claim
	return s, nil
}
