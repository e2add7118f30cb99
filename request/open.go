package request

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/typed"
)

// Sources open what requests name. A source that is nil serves a front end whose requests
// cannot name such a thing.
type Sources struct {
	Table       func(ctx context.Context, name string) (*embedding.Table, error) // "" is the default one
	Without     func(ctx context.Context, t *embedding.Table, never string) (*embedding.Table, error)
	Corpus      func(ctx context.Context, name string) (*corpus.Corpus, error)
	Model       func(ctx context.Context, name string) (*autoencoder.Model, error)
	Certificate func(ctx context.Context, name string) (*audit.Certificate, error)
	// Codebook opens the codebook of a type of marks, and Kept the map of its values.
	Codebook func(ctx context.Context, kind, name string) (*typed.Codebook, error)
	Kept     func(ctx context.Context, name string) (*typed.Map, error)
	// Open opens the files that parameters of mechanisms name; nil refuses them.
	Open     func(name string) (io.ReadCloser, error)
	Cache    mechanism.Cache
	Progress progress.Func
}

// Config checks the request, opens what it names and returns what sotto.Open takes. who asks, for
// the errors: those of [Request.Check] and of the sources.
func (r *Request) Config(ctx context.Context, who string, from Sources) (cfg sotto.Config, err error) {
	if err := r.Check(who); err != nil {
		return cfg, err
	}
	cfg = r.Opening.config(from)
	cfg.InsecureSeed, cfg.Unknown, cfg.PerUser, cfg.Pieces, cfg.Beam = r.InsecureSeed, r.Unknown, r.PerUser, r.Pieces, r.Beam
	switch {
	case r.Whole():
		cfg.Unit = privacy.Text
	case r.Typed:
		cfg.Unit = privacy.Mark
		if err := r.types(ctx, &cfg, from); err != nil {
			return cfg, err
		}
	case r.Consistent:
		cfg.Unit = privacy.Word
	case r.Unit != "":
		cfg.Unit = privacy.Token
	}
	if cap := r.Cap; cap.DocumentEpsilon != nil {
		if *cap.DocumentEpsilon == 0 { // 0 would mean no cap
			return cfg, privacy.Bad("document", "epsilon", *cap.DocumentEpsilon, "positive and finite")
		}
		cfg.DocumentEpsilon, cfg.DocumentDelta, cfg.DocumentTokens, cfg.Over = *cap.DocumentEpsilon, cap.DocumentDelta, cap.DocumentTokens, sotto.Over(cap.Over)
	}
	cfg.Marked = !r.Typed && (r.Spans != "" || r.SpansField != "" || r.MarkPatterns)
	if r.MarkedEpsilon != nil {
		cfg.MarkedEpsilon = *r.MarkedEpsilon
		if err := privacy.CheckEpsilon(who+": marked", cfg.MarkedEpsilon); err != nil { // 0 would mean that the rest is copied
			return cfg, err
		}
	}
	if !r.Whole() || r.Embeddings != "" {
		if cfg.Table, err = r.Vocabulary.Table(ctx, from, r.Listed); err != nil {
			return cfg, err
		}
	}
	if r.Model != "" {
		if cfg.Model, err = from.Model(ctx, r.Model); err != nil {
			return cfg, err
		}
	}
	if r.Corpus != "" {
		if cfg.Corpus, err = from.Corpus(ctx, r.Corpus); err != nil {
			return cfg, err
		}
	}
	if r.RequireCertificate != "" {
		cfg.Certificate, err = from.Certificate(ctx, r.RequireCertificate)
	}
	return cfg, err
}

// types configures the types of marks.
func (r *Request) types(ctx context.Context, cfg *sotto.Config, from Sources) (err error) {
	cfg.Types.Strict = r.StrictTypes
	if len(r.TypeCodebook) > 0 {
		cfg.Types.Codebooks = map[string]*typed.Codebook{}
	}
	for _, name := range slices.Sorted(maps.Keys(r.TypeCodebook)) {
		kind := typed.Known(name)
		if kind == "" {
			return &ValueError{"type-codebook", strconv.Quote(name), "the name of a type: up to 64 letters, digits and _"}
		}
		codebook, ok := typed.Embedded(r.TypeCodebook[name])
		if !ok {
			if codebook, err = from.Codebook(ctx, kind, r.TypeCodebook[name]); err != nil {
				return err
			}
		}
		cfg.Types.Codebooks[kind] = codebook
	}
	if len(r.TypeEpsilon) > 0 {
		cfg.Types.Epsilons = map[string]float64{}
	}
	for name, epsilon := range r.TypeEpsilon {
		cfg.Types.Epsilons[typed.Known(name)] = epsilon
	}
	if r.Consistent {
		cfg.Unit = privacy.DistinctMark
	}
	if r.KeepMap != "" {
		cfg.Unit = privacy.DistinctMark
		cfg.Types.Kept, err = from.Kept(ctx, r.KeepMap)
	}
	return err
}

// Config is [Request.Config] for sotto.OpenEmbedder.
func (e *Embedding) Config(ctx context.Context, who string, from Sources) (cfg sotto.Config, of sotto.Of, err error) {
	if err := e.Check(who); err != nil {
		return cfg, "", err
	}
	cfg = e.Opening.config(from)
	cfg.InsecureSeed, cfg.Raw = e.InsecureSeed, e.Raw
	if of = sotto.Of(e.Of); of == "" {
		of = sotto.Documents
	}
	cfg.Table, err = e.Vocabulary.Table(ctx, from, Listed{})
	return cfg, of, err
}

// Spec returns what opens the mechanism directly, for audits. The opening is checked.
func (o *Opening) Spec(from Sources) mechanism.Spec {
	cfg := o.config(from)
	return cfg.Spec()
}

func (o *Opening) config(from Sources) sotto.Config {
	cfg := sotto.Config{
		Mechanism: o.Mechanism, Notion: privacy.Notion(o.Notion), Parameters: o.Values(), Published: o.Calibrate == "published",
		Open: from.Open, Cache: from.Cache, Progress: from.Progress,
	}
	if o.Epsilon != nil {
		cfg.Epsilon = *o.Epsilon
	}
	if o.Accept != "" {
		_ = cfg.Accept.UnmarshalText([]byte(o.Accept)) // one of the values of the field
	}
	return cfg
}

// Table opens the vocabulary without the words of a list.
func (v *Vocabulary) Table(ctx context.Context, from Sources, but Listed) (*embedding.Table, error) {
	t, err := from.Table(ctx, v.Embeddings)
	if err != nil {
		return nil, err
	}
	if v.Words != nil {
		if *v.Words < 1 || *v.Words > t.Len() {
			return nil, privacy.Bad("embeddings", "words", *v.Words, fmt.Sprintf("1 to %d", t.Len()))
		}
		if t, err = t.First(*v.Words); err != nil {
			return nil, err
		}
	}
	if but.Never == "" {
		return t, nil
	}
	return from.Without(ctx, t, but.Never)
}
