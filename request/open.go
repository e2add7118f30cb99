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
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/typed"
)

// Sources open what requests name. A source that is nil serves a front end whose requests
// cannot name such a thing.
type Sources struct {
	Table func(ctx context.Context, name string) (*embedding.Table, error) // "" is the default one
	// Words opens a table for its words alone, as [embedding.OpenWords] does; nil means Table.
	Words   func(ctx context.Context, name string) (*embedding.Table, error)
	Without func(ctx context.Context, t *embedding.Table, never string) (*embedding.Table, error)
	Corpus  func(ctx context.Context, name string) (*corpus.Corpus, error)
	// Encode starts the encoder of a corpus that was built with given vectors; command is
	// empty where none was asked for. It returns nil if the vectors come in another way.
	Encode      func(ctx context.Context, c *corpus.Corpus, command string) (corpus.TextEncoder, error)
	Model       func(ctx context.Context, name string) (*autoencoder.Model, error)
	Certificate func(ctx context.Context, name string) (*audit.Certificate, error)
	// Codebook opens the codebook of a type of marks, and Kept the map of its values.
	Codebook func(ctx context.Context, kind, name string) (*typed.Codebook, error)
	Kept     func(ctx context.Context, name string) (*typed.Map, error)
	// Open opens the files that parameters of mechanisms name; nil refuses them.
	Open     func(name string) (io.ReadCloser, error)
	Cache    mechanism.Cache
	Progress progress.Func
	// Untimed: see sotto.Texts. It is a fact about the front end.
	Untimed bool
}

// Config checks the request, opens what it names and returns what sotto.Open takes. who asks, for
// the errors: those of [Request.Check] and of the sources.
func (r *Request) Config(ctx context.Context, who string, from Sources) (sotto.Configuration, error) {
	if err := r.Check(who); err != nil {
		return nil, err
	}
	if e, ok := catalog.Find(r.Mechanism); ok && e.WordsAlone && from.Words != nil {
		from.Table = from.Words
	}
	from = r.over(from)
	switch {
	case r.Whole():
		return r.texts(ctx, from)
	case r.Typed:
		return r.types(ctx, from)
	}
	return r.words(ctx, who, from)
}

// words is Config for words.
func (r *Request) words(ctx context.Context, who string, from Sources) (w sotto.Words, err error) {
	s := r.Spec(from)
	w = sotto.Words{
		Mechanism: r.Mechanism, Notion: privacy.Notion(r.Notion), Epsilon: s.Epsilon, Parameters: s.Parameters, Published: s.Published, Accept: r.standing(),
		Unknown: r.Unknown, Marked: r.Spans != "" || r.SpansField != "" || r.MarkPatterns, Scoped: r.Scoped, InsecureSeed: r.InsecureSeed, Open: s.Open, Cache: s.Cache, Progress: s.Progress,
	}
	switch {
	case r.Consistent:
		w.Unit = privacy.Word
	case r.Unit != "":
		w.Unit = privacy.Token
	}
	if r.DocumentEpsilon != nil {
		w.Cap = sotto.Cap{Epsilon: *r.DocumentEpsilon, Delta: r.DocumentDelta, Tokens: r.DocumentTokens, Over: sotto.Over(r.Over)}
	}
	if r.MarkedEpsilon != nil {
		w.MarkedEpsilon = *r.MarkedEpsilon
		if err := privacy.CheckEpsilon(who+": marked", w.MarkedEpsilon); err != nil { // 0 would mean that the rest is copied
			return w, err
		}
	}
	if w.Table, err = r.Vocabulary.Table(ctx, from, r.Listed); err != nil {
		return w, err
	}
	if r.RequireCertificate != "" {
		w.Certificate, err = from.Certificate(ctx, r.RequireCertificate)
	}
	return w, err
}

// texts is Config for whole texts.
func (r *Request) texts(ctx context.Context, from Sources) (t sotto.Texts, err error) {
	s := r.Spec(from)
	t = sotto.Texts{
		Mechanism: r.Mechanism, Notion: privacy.Notion(r.Notion), Epsilon: s.Epsilon, Parameters: s.Parameters, Published: s.Published, Accept: r.standing(),
		PerUser: r.PerUser, Untimed: from.Untimed, Pieces: r.Pieces, Beam: r.Beam, InsecureSeed: r.InsecureSeed, Open: s.Open, Cache: s.Cache, Progress: s.Progress,
	}
	if r.Embeddings != "" {
		if t.Table, err = r.Vocabulary.Table(ctx, from, Listed{}); err != nil {
			return t, err
		}
	}
	if r.Model != "" {
		if t.Model, err = from.Model(ctx, r.Model); err != nil {
			return t, err
		}
	}
	if r.Corpus != "" || r.EncoderProgram != "" || r.Language != "" && r.Model == "" {
		if t.Corpus, err = from.Corpus(ctx, r.Corpus); err != nil {
			return t, err
		}
		if t.Encode, err = r.Encoding.of(ctx, t.Corpus, r.TextVectors != "", from); err != nil {
			return t, err
		}
	}
	if r.RequireCertificate != "" {
		t.Certificate, err = from.Certificate(ctx, r.RequireCertificate)
	}
	return t, err
}

// of returns the encoder of a corpus that was built with given vectors, nil if these come in
// another way.
func (e Encoding) of(ctx context.Context, c *corpus.Corpus, given bool, from Sources) (corpus.TextEncoder, error) {
	brought := c.Card().Encoder.Kind == corpus.Brought
	if from.Encode == nil || given || !brought && e.EncoderProgram == "" {
		return nil, nil
	}
	return from.Encode(ctx, c, e.EncoderProgram)
}

// types is Config for marks within their types.
func (r *Request) types(ctx context.Context, from Sources) (m sotto.Marks, err error) {
	s := r.Spec(from)
	m = sotto.Marks{
		Notion: privacy.Notion(r.Notion), Epsilon: s.Epsilon, Accept: r.standing(), Distinct: r.Consistent || r.KeepMap != "", Strict: r.StrictTypes,
		Epsilons: map[string]float64{}, Codebooks: map[string]*typed.Codebook{}, Untimed: from.Untimed, InsecureSeed: r.InsecureSeed, Cache: s.Cache, Progress: s.Progress,
	}
	for _, name := range slices.Sorted(maps.Keys(r.TypeCodebook)) {
		kind := typed.Known(name)
		if kind == "" {
			return m, &ValueError{"type-codebook", strconv.Quote(name), "the name of a type: up to 64 letters, digits and _"}
		}
		codebook, ok := typed.Embedded(r.TypeCodebook[name])
		if !ok {
			if codebook, err = from.Codebook(ctx, kind, r.TypeCodebook[name]); err != nil {
				return m, err
			}
		}
		m.Codebooks[kind] = codebook
	}
	for name, epsilon := range r.TypeEpsilon {
		m.Epsilons[typed.Known(name)] = epsilon
	}
	if m.Table, err = r.Vocabulary.Table(ctx, from, r.Listed); err != nil {
		return m, err
	}
	if r.KeepMap != "" {
		m.Kept, err = from.Kept(ctx, r.KeepMap)
	}
	return m, err
}

// Config is [Request.Config] for sotto.OpenEmbedder.
func (e *Embedding) Config(ctx context.Context, who string, from Sources) (v sotto.Vectors, err error) {
	if err := e.Check(who); err != nil {
		return v, err
	}
	s := e.Spec(from)
	v = sotto.Vectors{
		Of: sotto.Of(e.Of), Mechanism: e.Mechanism, Notion: privacy.Notion(e.Notion), Epsilon: s.Epsilon, Parameters: s.Parameters, Published: s.Published,
		Accept: e.standing(), Raw: e.Raw, Untimed: from.Untimed, InsecureSeed: e.InsecureSeed, Open: s.Open, Cache: s.Cache, Progress: s.Progress,
	}
	from = e.over(from)
	if e.Corpus == "" {
		v.Table, err = e.Vocabulary.Table(ctx, from, Listed{})
		return v, err
	}
	if e.Embeddings != "" {
		if v.Table, err = e.Vocabulary.Table(ctx, from, Listed{}); err != nil {
			return v, err
		}
	}
	if v.Corpus, err = from.Corpus(ctx, e.Corpus); err != nil {
		return v, err
	}
	v.Encode, err = e.Encoding.of(ctx, v.Corpus, e.TextVectors != "", from)
	return v, err
}

// Member returns the mechanism that the request opens, if it is in the catalogue.
func (r *Request) Member() (mechanism.Entry, bool) {
	use := mechanism.UseWords
	switch {
	case r.Mechanism != "":
		return catalog.Find(r.Mechanism)
	case r.Model != "":
		use = mechanism.UseLatent
	case r.Whole():
		use = mechanism.UseTexts
	}
	return catalog.Default(use, privacy.Notion(r.Notion))
}

// Spec returns what opens the mechanism directly, for audits. The opening is checked.
func (o *Opening) Spec(from Sources) mechanism.Spec {
	s := mechanism.Spec{Parameters: o.Values(), Published: o.Calibrate == "published", Open: from.Open, Cache: from.Cache, Untimed: from.Untimed, Progress: from.Progress}
	if o.Epsilon != nil {
		s.Epsilon = *o.Epsilon
	}
	return s
}

// standing returns the lowest standing that is accepted.
func (o *Opening) standing() (least privacy.Standing) {
	if o.Accept != "" {
		_ = least.UnmarshalText([]byte(o.Accept)) // one of the values of the field
	}
	return least
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
