package sotto

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

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

	// Table is the vocabulary with its vectors; nil means the embedded English table.
	Table *embedding.Table
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
	table, err := tableOr(v.Table)
	if err != nil {
		return nil, err
	}
	if of == Tokens && table.OfWords() != nil {
		return nil, privacy.Wrong("embed", "embeddings", "the entries of "+table.Name()+" are the tokens of an encoder of texts, whose vectors are for documents", "choose a table of words")
	}
	spec := mechanism.Spec{Epsilon: v.Epsilon, Parameters: v.Parameters, Published: v.Published, Open: v.Open, Cache: v.Cache, Untimed: v.Untimed, Progress: v.Progress}
	p, err := entry.NewPerturber(ctx, table, spec)
	if err != nil {
		return nil, err
	}
	if _, ok := p.(mechanism.Coded); v.Raw && !ok {
		return nil, privacy.Unwanted(entry.Name, "raw", "here: these vectors are not those of a codebook")
	}
	vectors := unit.OfVectors(unit.Perturbation{Entry: entry, Perturber: p, Spec: spec, Table: table, Of: of, Seed: v.InsecureSeed, Raw: v.Raw})
	return &Embedder{release.By(vectors), vectors}, nil
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
	p, err := e.loop.Read(release.Texts{Bytes: texts}, at)
	if err != nil {
		return nil, Counts{}, err
	}
	return p.Vectors(ctx)
}

// Copy embeds the texts of a stream and calls write with the vectors of each batch, in
// order, in memory that does not grow with the input. With Documents, each record has one
// vector per field, even if the field is missing: with one field, vector i belongs to
// record i. The statement covers everything drawn. Copy stops at the first error. Charge
// must be nil, because no ledger counts vectors, and Vectors, Users and Spans must be nil
// too.
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
	unit := make([]float64, e.Dimensions())
	u.Unit(unit, e.vectors.Mean(text))
	for _, x := range unit {
		dst = append(dst, float32(x))
	}
	return dst, nil
}
