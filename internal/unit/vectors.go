package unit

import (
	"context"
	"sync"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Perturbation is what was opened for vectors.
type Perturbation struct {
	Entry     mechanism.Entry
	Perturber mechanism.Perturber
	Spec      mechanism.Spec   // with which it was opened
	Table     *embedding.Table // nil with an encoding
	// Encoding, if not nil, makes the vectors of whole texts, in place of their words.
	Encoding *Encoding
	Of       statement.Of
	Seed     *uint64
	Raw      bool // vectors of a codebook are released unscaled
}

// Vectors is the unit of vectors: those of words, or the averages of texts.
type Vectors struct {
	Perturbation
	vocabulary *Vocabulary
	weights    []float64 // of words in the average of a text; nil: equal
	draws      *draws
	scratch    sync.Pool
}

// OfVectors returns the unit of what was opened.
func OfVectors(p Perturbation) *Vectors {
	v := &Vectors{Perturbation: p, draws: from(p.Seed)}
	if p.Encoding == nil {
		v.vocabulary = &Vocabulary{Table: p.Table}
	}
	if w, ok := p.Perturber.(mechanism.Weighted); ok {
		v.weights = w.WordWeights()
	}
	return v
}

// Facts returns how the vectors were opened.
func (v *Vectors) Facts() statement.Facts {
	claim := v.Perturber.Claim()
	if v.Of == statement.Tokens && claim.Unit == privacy.Text {
		claim.Unit = privacy.Vector
	}
	f := statement.Facts{Entry: v.Entry, Settings: v.Perturber.Settings(), Claim: claim, Seeded: v.draws.seeded(), Table: v.Table, Of: v.Figures()}
	f.Loss = func() float64 { return statement.PureLoss(v.Perturber, claim, v.Table) + v.roundingLoss() }
	if c, ok := v.Perturber.(mechanism.Coded); ok {
		channel, codebook := c.Channel()
		f.Certificate = audit.KnownTextsCertificate(v.Entry.Name, channel, codebook)
		f.Certificate.OpenedWith(v.Spec)
		f.Certificate.ProgramVersion = statement.Version
	}
	return f
}

// Figures returns what a statement has of the vectors.
func (v *Vectors) Figures() statement.Vectors {
	_, components := v.Perturber.Dimensions()
	of := statement.Vectors{Of: v.Of, Components: components, Raw: v.Raw}
	if v.Encoding != nil {
		of.Corpus, of.Brought, of.Probes = v.Encoding.Corpus, v.Encoding.Encoder == nil, v.Encoding.Probes
	}
	if u, ok := v.Perturber.(mechanism.Unbiased); ok {
		debias := u.Debias()
		of.Debias = &debias
	}
	return of
}

// Needs returns whether each record has one vector, and the vectors that come with texts.
func (v *Vectors) Needs() release.Needs {
	n := release.Needs{Each: v.Of == statement.Documents}
	if v.Encoding != nil {
		v.Encoding.needs(&n)
	}
	return n
}

// vectorBatch is a batch with one draw per text or token.
type vectorBatch struct {
	*tokenized
	unit   *Vectors
	at     release.Position
	counts statement.Counts
}

// Read cuts texts into words, or encodes them.
func (v *Vectors) Read(t release.Texts, at release.Position) (release.Batch, error) {
	if v.Encoding != nil {
		return v.encoded(t, at), nil
	}
	b := &vectorBatch{tokenized: v.vocabulary.tokenize(t.Bytes), unit: v, at: at}
	for i := range t.Bytes {
		if n := b.Length(i); v.Of == statement.Tokens {
			b.counts.Count(n, 0, n, n)
		} else {
			b.counts.Count(0, 0, 1, 1) // the length of a text stays hidden
		}
	}
	return b, nil
}

func (b *vectorBatch) Counted() (statement.Counts, statement.Content) {
	return b.counts, statement.Content{}
}

func (b *vectorBatch) Draw(ctx context.Context) (release.Drawn, error) {
	s := b.unit.memory()
	defer b.unit.scratch.Put(s)
	in, _ := b.unit.Perturber.Dimensions()
	for _, ids := range b.split(b.tokens) {
		if err := ctx.Err(); err != nil {
			return release.Drawn{}, err
		}
		before := len(s.clear)
		s.clear = b.unit.clear(s.clear, ids)
		s.rows = append(s.rows, (len(s.clear)-before)/in)
	}
	return b.unit.draw(ctx, s, b.at)
}

// draw releases what is in the memory.
func (v *Vectors) draw(ctx context.Context, s *scratch, at release.Position) (release.Drawn, error) {
	from := v.draws.begin(at)
	defer from.end()
	vectors, err := v.release(ctx, s.clear, s.rows, from.text)
	return release.Drawn{Vectors: vectors}, err
}

// scratch is the memory of one draw.
type scratch struct {
	clear []float32 // of all texts, before any noise
	rows  []int     // of each text in clear
}

// memory returns empty scratch memory.
func (v *Vectors) memory() *scratch {
	s, _ := v.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	s.clear, s.rows = s.clear[:0], s.rows[:0]
	return s
}

// Clear returns the vector of a whole text, before any noise. The error is that of an encoder.
func (v *Vectors) Clear(ctx context.Context, text []byte) ([]float32, error) {
	if v.Encoding != nil {
		grid, err := v.Encoding.Vector(ctx, text)
		return appendGrid(nil, grid), err
	}
	return v.clear(nil, v.vocabulary.tokenize([][]byte{text}).tokens), nil
}

// clear appends the vectors of a text before any noise: those of its words, or their average.
func (v *Vectors) clear(dst []float32, ids []embedding.ID) []float32 {
	if v.Of == statement.Documents && len(ids) == 0 {
		// The average of no words would be outside the hull of the words, where the total
		// of a metric claim does not hold.
		ids = []embedding.ID{v.Table.Unknown()}
	}
	if v.Of == statement.Documents {
		return v.mean(dst, ids)
	}
	for _, id := range ids {
		dst = v.Table.Vector(dst, id)
	}
	return dst
}

// mean appends the mean vector of words, one at least, weighted where there are weights. It
// keeps one vector, however long the text is.
func (v *Vectors) mean(dst []float32, ids []embedding.ID) []float32 {
	in, _ := v.Perturber.Dimensions()
	sums, row, total := make([]float64, in), make([]float32, 0, in), 0.0
	for _, id := range ids {
		row = v.Table.Vector(row[:0], id)
		w := 1.0
		if v.weights != nil {
			w = v.weights[id]
		}
		total += w
		for k, x := range row {
			sums[k] += float64(w * float64(x)) // not fused: the same on every machine
		}
	}
	for _, s := range sums {
		dst = append(dst, float32(s/total))
	}
	return dst
}
