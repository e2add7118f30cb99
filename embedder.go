package sotto

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/release"
)

// Embedder releases private vectors of texts: the words' vectors, or their averages,
// perturbed by one mechanism. It is safe for concurrent use.
type Embedder struct {
	loop    *release.Loop
	vectors *unit.Vectors
}

// Vectors configures [OpenEmbedder]. Epsilon suffices.
type Vectors struct {
	// Of is what a vector represents: Documents (the default), a text's average, or Tokens.
	Of Of
	// Epsilon is the privacy parameter per vector, in nats, or in nats per unit of distance
	// for metric mechanisms.
	Epsilon float64
	// Notion chooses the default mechanism. With no notion, Documents use privunit and Tokens
	// use gaussian-analytic. With privacy.Pure they use privunit and laplace. With
	// privacy.Approximate both use gaussian-analytic, and with privacy.Metric both use
	// privemb.
	Notion privacy.Notion
	// Mechanism, Parameters, Published, Accept: see [Config].
	Mechanism  string
	Parameters mechanism.Values
	Published  bool
	Accept     privacy.Standing

	// Table is the vocabulary with its vectors; nil means the embedded English table, or with a
	// Corpus the table of its encoder, found by its name.
	Table *embedding.Table
	// Corpus, if not nil, has the encoder that makes the vectors of whole texts, in place of
	// averages of words. The public map to released vectors is fitted on its texts. Of must then
	// be Documents, and the mechanism one whose claim holds for any vector: privunit.
	Corpus *corpus.Corpus
	// Encode, if not nil, makes the vectors of texts, for a Corpus that was built with its
	// vectors: see [Texts]. Without it, such a Corpus needs a stream with Vectors, or
	// [Embedder.EmbedVectors].
	Encode corpus.TextEncoder
	// Raw releases vectors of a codebook unscaled. By default they are scaled to be
	// unbiased; the statement gives the factor.
	Raw bool
	// Untimed: see [Texts].
	Untimed bool

	// InsecureSeed, Open, Cache, Progress: see [Config].
	InsecureSeed *uint64
	Open         func(name string) (io.ReadCloser, error)
	Cache        mechanism.Cache
	Progress     progress.Func
}

// perturbers returns the names of the accepted mechanisms that release vectors.
func perturbers(least privacy.Standing) (names []string) {
	for _, e := range catalog.All() {
		if e.NewPerturber != nil && (privacy.Terms{Least: least}).Admit(e.Name, e.Standing) == nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// OpenEmbedder returns an Embedder. Its errors are those of [Open].
func OpenEmbedder(ctx context.Context, v Vectors) (*Embedder, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of := cmp.Or(v.Of, Documents)
	if of != Documents && of != Tokens {
		return nil, privacy.Bad("embed", "of", fmt.Sprintf("%q", of), "documents or words")
	}
	entry, err := v.entry(of)
	if err != nil {
		return nil, err
	}
	if entry.NewPerturber == nil {
		return nil, privacy.Bad("embed", "mechanism", entry.Name, "one that releases vectors ("+strings.Join(perturbers(v.Accept), ", ")+")")
	}
	spec := mechanism.Spec{Epsilon: v.Epsilon, Parameters: v.Parameters, Published: v.Published, Open: v.Open, Cache: v.Cache, Untimed: v.Untimed, Progress: v.Progress}
	opened := unit.Perturbation{Entry: entry, Spec: spec, Of: of, Seed: v.InsecureSeed, Raw: v.Raw}
	over := v.overTable
	if v.Corpus != nil || v.Encode != nil {
		over = v.overCorpus
	}
	if err := over(ctx, &opened); err != nil {
		return nil, err
	}
	if _, ok := opened.Perturber.(mechanism.Coded); v.Raw && !ok {
		return nil, privacy.Unwanted(entry.Name, "raw", "here: these vectors are not those of a codebook")
	}
	vectors := unit.OfVectors(opened)
	return &Embedder{release.By(vectors), vectors}, nil
}

// overTable opens the mechanism over a table of words.
func (v *Vectors) overTable(ctx context.Context, o *unit.Perturbation) (err error) {
	if o.Table, err = tableOr(v.Table); err != nil {
		return err
	}
	if o.Of == Tokens && o.Table.OfWords() != nil {
		return privacy.Wrong("embed", "embeddings", "the entries of "+o.Table.Name()+" are the tokens of an encoder of texts, whose vectors are for documents", "choose a table of words")
	}
	o.Perturber, err = o.Entry.NewPerturber(ctx, o.Table, o.Spec)
	return err
}

// overCorpus opens the mechanism over the encoder of a corpus.
func (v *Vectors) overCorpus(ctx context.Context, o *unit.Perturbation) error {
	switch {
	case v.Corpus == nil:
		return privacy.Missing("embed", "a corpus", "the encoder is that of a corpus, on whose texts the map of vectors is fitted")
	case o.Of == Tokens:
		return privacy.Wrong("embed", "of", "the encoder of a corpus reads whole texts", "choose documents")
	case o.Entry.NewEncoded == nil:
		return privacy.Bad("embed", "mechanism", o.Entry.Name, "privunit with a corpus: the claims of others are for vectors of words")
	}
	encoding, err := encodingOf(ctx, "embed", v.Corpus, v.Table, v.Encode)
	if err != nil {
		return err
	}
	o.Encoding, o.Spec.BroughtVectors = &encoding, encoding.Encoder == nil
	o.Perturber, err = o.Entry.NewEncoded(ctx, v.Corpus, o.Spec)
	return err
}

// entry returns the mechanism that is named, or the default.
func (v *Vectors) entry(of Of) (mechanism.Entry, error) {
	use := mechanism.UseVectors
	if of == Documents {
		if _, ok := catalog.Default(mechanism.UseDocuments, v.Notion); ok {
			use = mechanism.UseDocuments
		}
	}
	if _, ok := catalog.Default(use, v.Notion); v.Mechanism == "" && !ok {
		return mechanism.Entry{}, privacy.Bad("embed", "notion", fmt.Sprintf("%q", v.Notion), "approximate, pure or metric")
	}
	return accepted(v.Mechanism, use, v.Notion, "", v.Accept)
}

// Dimensions returns the length of a released vector.
func (e *Embedder) Dimensions() int { _, out := e.vectors.Perturber.Dimensions(); return out }

// Coded reports whether released vectors have indices in a public codebook.
func (e *Embedder) Coded() bool { _, ok := e.vectors.Perturber.(mechanism.Coded); return ok }

// Entry is the mechanism's line of the catalogue.
func (e *Embedder) Entry() mechanism.Entry { return e.vectors.Entry }

// Embed releases the private vectors of one text.
func (e *Embedder) Embed(ctx context.Context, input string) (release.Vectors, privacy.Claim, error) {
	if err := ctx.Err(); err != nil {
		return release.Vectors{}, privacy.Claim{}, err
	}
	out, _, err := e.EmbedAll(ctx, [][]byte{[]byte(input)}, Position{})
	if err != nil {
		return release.Vectors{}, privacy.Claim{}, err
	}
	return out[0], e.loop.Claim(), nil
}

// EmbedAll returns the private vectors of each text of a batch, in order, and the counts.
// Tokens are counted if each becomes a vector. On an error it returns no vectors.
func (e *Embedder) EmbedAll(ctx context.Context, texts [][]byte, at Position) ([]release.Vectors, Counts, error) {
	return e.embed(ctx, release.Texts{Bytes: texts}, at)
}

// EmbedVectors is EmbedAll for the vectors of the caller's encoder, of a Corpus that was built
// with such vectors.
func (e *Embedder) EmbedVectors(ctx context.Context, vectors [][]float64, at Position) ([]release.Vectors, Counts, error) {
	return e.embed(ctx, release.Texts{Vectors: vectors}, at)
}

func (e *Embedder) embed(ctx context.Context, t release.Texts, at Position) ([]release.Vectors, Counts, error) {
	p, err := e.loop.Read(t, at)
	if err != nil {
		return nil, Counts{}, err
	}
	return p.Vectors(ctx)
}

// Copy embeds the texts of a stream and calls write with the vectors of each batch, in
// order, in memory that does not grow with the input. With Documents, each record has one
// vector per field, even if the field is missing: with one field, vector i belongs to
// record i. The statement covers everything drawn. Copy stops at the first error. Charge
// must be nil, because no ledger counts vectors, and Users and Spans must be nil too.
func (e *Embedder) Copy(ctx context.Context, write func([]release.Vectors) error, in io.Reader, s Stream) (EmbedStatement, error) {
	counts, err := e.loop.Embed(ctx, write, in, s)
	return e.Statement(counts), err
}

// Count reads a stream and counts what [Embedder.Copy] would draw. It draws nothing.
func (e *Embedder) Count(ctx context.Context, in io.Reader, s Stream) (Counts, error) {
	return e.loop.CountVectors(ctx, in, s)
}

// Statement states what holds for all that was counted.
func (e *Embedder) Statement(counts Counts) EmbedStatement {
	return e.vectors.Figures().State(e.loop.Facts(), counts)
}

// Verify is [Rewriter.Verify] for vectors.
func (e *Embedder) Verify(s *EmbedStatement) error {
	return s.Verify(e.loop.Facts(), e.vectors.Figures())
}

// Unprotected appends the unit vector of a public text, before any noise, to dst. It is for
// applying a model that was learnt from released vectors to public texts. It returns an
// error if the mechanism has no such vector.
func (e *Embedder) Unprotected(dst []float32, text []byte) ([]float32, error) {
	u, ok := e.vectors.Perturber.(mechanism.Unbiased)
	if !ok || e.vectors.Of != Documents {
		return dst, privacy.Wrong(e.Entry().Name, "", "it releases no unit vectors of texts", "choose a mechanism that does")
	}
	clear, err := e.vectors.Clear(context.Background(), text)
	if err != nil {
		return dst, err
	}
	unit := make([]float64, e.Dimensions())
	u.Unit(unit, clear)
	for _, x := range unit {
		dst = append(dst, float32(x))
	}
	return dst, nil
}
