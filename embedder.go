package sotto

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// Embedder releases private vectors of texts: the words' vectors, or their averages,
// perturbed by one mechanism. It is safe for concurrent use.
type Embedder struct {
	loop    *release.Loop
	vectors *unit.Vectors
}

// perturbers returns the names of the accepted mechanisms that release vectors.
func (cfg *Config) perturbers() (names []string) {
	for _, e := range catalog.All() {
		if e.NewPerturber != nil && (privacy.Terms{Least: cfg.Accept}).Admit(e.Name, e.Standing) == nil {
			names = append(names, e.Name)
		}
	}
	return names
}

// OpenEmbedder returns an Embedder. If the config names no mechanism, the default depends
// on the notion. With no notion, Documents use privunit and Words use gaussian-analytic.
// With privacy.Pure they use privunit and laplace. With privacy.Approximate both use
// gaussian-analytic, and with privacy.Metric both use privemb. Its errors are those of
// [Open].
func OpenEmbedder(ctx context.Context, cfg Config, of Of) (*Embedder, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if of != Documents && of != Words {
		return nil, privacy.Bad("embed", "of", fmt.Sprintf("%q", of), "documents or words")
	}
	if err := cfg.check(setting.UseVectors); err != nil {
		return nil, err
	}
	name := cfg.Mechanism
	if name == "" {
		entry, ok := mechanism.Entry{}, false
		if of == Documents {
			entry, ok = catalog.Default(mechanism.UseDocuments, cfg.Notion)
		}
		if !ok {
			entry, ok = catalog.Default(mechanism.UseVectors, cfg.Notion)
		}
		if !ok {
			return nil, privacy.Bad("embed", "notion", fmt.Sprintf("%q", cfg.Notion), "approximate, pure or metric")
		}
		name = entry.Name
	}
	entry, err := cfg.entry(name)
	if err != nil {
		return nil, err
	}
	if entry.NewPerturber == nil {
		return nil, privacy.Bad("embed", "mechanism", name, "one that releases vectors ("+strings.Join(cfg.perturbers(), ", ")+")")
	}
	table, err := cfg.words()
	if err != nil {
		return nil, err
	}
	p, err := entry.NewPerturber(ctx, table, cfg.Spec())
	if err != nil {
		return nil, err
	}
	if _, ok := p.(mechanism.Coded); cfg.Raw && !ok {
		return nil, privacy.Bad(name, "raw", true, "left out: these vectors are not those of a codebook")
	}
	v := unit.OfVectors(unit.Perturbation{Entry: entry, Perturber: p, Spec: cfg.Spec(), Table: table, Of: of, Seed: cfg.InsecureSeed, Raw: cfg.Raw})
	return &Embedder{release.By(v), v}, nil
}

// Dimensions returns the length of a released vector.
func (e *Embedder) Dimensions() int { _, out := e.vectors.Perturber.Dimensions(); return out }

// Coded reports whether released vectors have indices in a public codebook.
func (e *Embedder) Coded() bool { _, ok := e.vectors.Perturber.(mechanism.Coded); return ok }

// Entry is the mechanism's line of the catalogue.
func (e *Embedder) Entry() mechanism.Entry { return e.vectors.Entry }

// Embed releases the private vectors of one text.
func (e *Embedder) Embed(ctx context.Context, input string) (Vectors, privacy.Claim, error) {
	if err := ctx.Err(); err != nil {
		return Vectors{}, privacy.Claim{}, err
	}
	out, _, err := e.EmbedAll(ctx, [][]byte{[]byte(input)}, Position{})
	if err != nil {
		return Vectors{}, privacy.Claim{}, err
	}
	return out[0], e.loop.Claim(), nil
}

// EmbedAll returns the private vectors of each text of a batch, in order, and the counts.
// Tokens are counted if each becomes a vector. On an error it returns no vectors.
func (e *Embedder) EmbedAll(ctx context.Context, texts [][]byte, at Position) ([]Vectors, Counts, error) {
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
func (e *Embedder) Copy(ctx context.Context, write func([]Vectors) error, in io.Reader, s Stream) (EmbedStatement, error) {
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
		return dst, privacy.Bad(e.Entry().Name, "use", "unit vectors", "vectors: this member does not release unit vectors of texts")
	}
	unit := make([]float64, e.Dimensions())
	u.Unit(unit, e.vectors.Mean(text))
	for _, x := range unit {
		dst = append(dst, float32(x))
	}
	return dst, nil
}
