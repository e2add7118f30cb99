package sotto

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Of is what one private vector represents.
type Of string

const (
	// Documents: one vector per text, the average of its tokens' vectors. A text without
	// tokens counts as one unknown token. Any two texts are protected from each other,
	// whatever their lengths, if the claim is not per unit of distance.
	Documents Of = "documents"
	// Words: one vector per token.
	Words Of = "words"
)

// Embedder releases private vectors of texts: the words' vectors, or their averages,
// perturbed by one mechanism. It is safe for concurrent use.
type Embedder struct {
	entry     mechanism.Entry
	perturber mechanism.Perturber
	table     *embedding.Table
	of        Of
	weights   []float64 // of words in the average of a text; nil: equal
	raw       bool
	spec      mechanism.Spec // perturber was opened with it
	draws     *draws
	batches   sync.Pool
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
	if err := cfg.check(UseVectors); err != nil {
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
	e := &Embedder{entry: entry, perturber: p, table: table, of: of, raw: cfg.Raw, spec: cfg.Spec(), draws: from(cfg.InsecureSeed)}
	if w, ok := p.(mechanism.Weighted); ok {
		e.weights = w.WordWeights()
	}
	return e, nil
}

// Dimensions returns the length of a released vector.
func (e *Embedder) Dimensions() int { _, out := e.perturber.Dimensions(); return out }

// Coded reports whether released vectors have indices in a public codebook.
func (e *Embedder) Coded() bool { _, ok := e.perturber.(mechanism.Coded); return ok }

// Entry is the mechanism's line of the catalogue.
func (e *Embedder) Entry() mechanism.Entry { return e.entry }

// claim is the mechanism's claim for one vector, which is that of a whole text or of
// a token.
func (e *Embedder) claim() privacy.Claim {
	claim := e.perturber.Claim()
	if e.of == Words && claim.Unit == privacy.Text {
		claim.Unit = privacy.Vector
	}
	return claim
}

// Vectors are the private vectors of one text, one after the other.
type Vectors struct {
	Rows       int // 1, or the number of tokens
	Components []float32
	// Indices are those of the vectors in the mechanism's public codebook; nil if it has
	// none.
	Indices []uint32
}

// embedBatch is the scratch memory of one call of EmbedAll.
type embedBatch struct {
	tokenizer *tokenize.Tokenizer
	ids       []embedding.ID
	weights   []float64
	clear     []float32 // of all texts
	rows      []int     // of each text in clear
}

func (e *Embedder) batch() *embedBatch {
	if b, ok := e.batches.Get().(*embedBatch); ok {
		return b
	}
	return &embedBatch{tokenizer: tokenize.NewTokenizer(e.table)}
}

// Embed releases the private vectors of one text.
func (e *Embedder) Embed(ctx context.Context, input string) (Vectors, privacy.Claim, error) {
	if err := ctx.Err(); err != nil {
		return Vectors{}, privacy.Claim{}, err
	}
	out, _, err := e.EmbedAll(ctx, [][]byte{[]byte(input)}, Position{})
	if err != nil {
		return Vectors{}, privacy.Claim{}, err
	}
	return out[0], e.claim(), nil
}

// EmbedAll returns the private vectors of each text of a batch, in order, and the counts.
// Tokens are counted if each becomes a vector. On an error it returns no vectors.
func (e *Embedder) EmbedAll(ctx context.Context, texts [][]byte, at Position) ([]Vectors, Counts, error) {
	b := e.batch()
	defer e.batches.Put(b)
	in, _ := e.perturber.Dimensions()
	b.clear, b.rows = b.clear[:0], b.rows[:0]
	var counts Counts
	for _, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, Counts{}, err
		}
		before := len(b.clear)
		tokens := e.average(b, in, t)
		if e.of == Words {
			counts.add(tokens, 0, tokens, tokens)
		} else {
			counts.add(0, 0, 1, 1) // the length of a text stays hidden
		}
		b.rows = append(b.rows, (len(b.clear)-before)/in)
	}
	from := e.draws.begin(at)
	defer from.end()
	vectors, err := e.release(ctx, b.clear, b.rows, from.text)
	if err != nil {
		return nil, Counts{}, err
	}
	return vectors, counts, nil
}

// average appends the clear vectors of a text to b.clear: its words' vectors, or their
// average. It returns the number of words.
func (e *Embedder) average(b *embedBatch, in int, t []byte) (tokens int) {
	b.ids, _ = b.tokenizer.Tokenize(b.ids[:0], t)
	tokens = len(b.ids)
	if e.of == Documents && tokens == 0 {
		// The average of no words would be outside the hull of the words, where the total
		// of a metric claim does not hold.
		b.ids = append(b.ids, e.table.Unknown())
	}
	from := len(b.clear)
	for _, id := range b.ids {
		b.clear = e.table.Vector(b.clear, id)
	}
	if e.of == Documents {
		b.clear = append(b.clear[:from], meanOf(b.clear[from:], in, e.weightsOf(b))...)
	}
	return tokens
}

// Unprotected appends the unit vector of a public text, before any noise, to dst. It is for
// applying a model that was learnt from released vectors to public texts. It returns an
// error if the mechanism has no such vector.
func (e *Embedder) Unprotected(dst []float32, text []byte) ([]float32, error) {
	u, ok := e.perturber.(mechanism.Unbiased)
	if !ok || e.of != Documents {
		return dst, privacy.Bad(e.entry.Name, "use", "unit vectors", "vectors: this member does not release unit vectors of texts")
	}
	b := e.batch()
	defer e.batches.Put(b)
	in, out := u.Dimensions()
	b.clear = b.clear[:0]
	e.average(b, in, text)
	unit := make([]float64, out)
	u.Unit(unit, b.clear)
	for _, x := range unit {
		dst = append(dst, float32(x))
	}
	return dst, nil
}

// weightsOf returns the weights of the words in b.ids, nil for equal ones.
func (e *Embedder) weightsOf(b *embedBatch) []float64 {
	if e.weights == nil {
		return nil
	}
	b.weights = b.weights[:0]
	for _, id := range b.ids {
		b.weights = append(b.weights, e.weights[id])
	}
	return b.weights
}

// meanOf replaces rows of dim components, one at least, by their mean, weighted where
// weights are given.
func meanOf(rows []float32, dim int, weights []float64) []float32 {
	sums := make([]float64, dim)
	total := float64(len(rows) / dim)
	if weights == nil {
		for i, x := range rows {
			sums[i%dim] += float64(x)
		}
	} else {
		total = 0
		for i, w := range weights {
			total += w
			for k, x := range rows[i*dim : (i+1)*dim] {
				sums[k] += float64(w * float64(x)) // not fused: the same on every machine
			}
		}
	}
	rows = rows[:0]
	for _, s := range sums {
		rows = append(rows, float32(s/total))
	}
	return rows
}
