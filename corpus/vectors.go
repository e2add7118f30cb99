package corpus

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/text/about"
	"github.com/sotto-dp/sotto/text/terms"
)

// fit fits the encoder and encodes the texts.
func (c *Corpus) fit(ctx context.Context, o *Options) error {
	var parts []part
	card := &c.card.Encoder
	if o.Encoder != LSA {
		parts = append(parts, c.useTable(o.Table))
	}
	if o.Encoder != SIF {
		s, err := fitSemantic(ctx, c.Len(), c.text, c.terms(o.Table), o.Progress.Stage("fitting the encoder"))
		if err != nil {
			return err
		}
		if s.dims == 0 {
			if o.Encoder == LSA {
				return errors.New("corpus: the texts hold no words to fit an encoder on")
			}
			s = newSemantic(nil, nil, 0, terms.Of(nil))
		} else {
			parts = append(parts, s)
		}
		card.Terms, card.Semantic = len(s.terms), s.dims
		c.content[sectionTerms] = joinTerms(s.terms)
		c.content[sectionRows] = make([]byte, 0, 2*len(s.rows))
		for _, x := range s.rows {
			c.content[sectionRows] = binary.LittleEndian.AppendUint16(c.content[sectionRows], uint16(x))
		}
	}
	if o.About != nil {
		c.useWords(o.About)
		parts = append(parts, newAboutPart(o.About, o.Table))
	}
	return c.encodeTexts(ctx, newEncoder(parts, nil), o.Progress)
}

// encodeTexts computes the mean of a fitted encoder, and the vectors.
func (c *Corpus) encodeTexts(ctx context.Context, e *Encoder, report progress.Func) error {
	done := report.Stage("encoding texts").Counter(2 * c.Len())
	read, err := c.average(ctx, e, done)
	if err != nil {
		return err
	}
	c.useEncoder(e)
	return c.encode(ctx, e, read, done)
}

// terms returns how the terms of LSA are read, and sets the version of the
// encoder that records it.
func (c *Corpus) terms(table *embedding.Table) func() terms.Reader {
	if c.card.Encoder.Kind == Joined && table.Segmentation() != nil {
		c.card.Encoder.Version = segmentedVersion
		return terms.Of(table)
	}
	return terms.Of(nil)
}

// useTable sets the encoder to SIF with a table and describes it.
func (c *Corpus) useTable(t *embedding.Table) part {
	weights := frequencyWeights(t)
	c.card.Encoder.Table = &TableCard{t.Name(), t.Len(), t.Dim(), t.Digest()}
	for _, w := range weights {
		c.content[sectionWeights] = binary.LittleEndian.AppendUint16(c.content[sectionWeights], w)
	}
	return newWordMean(t, weights)
}

// useEncoder sets a complete encoder.
func (c *Corpus) useEncoder(e *Encoder) {
	c.card.Dimensions = e.Dim()
	c.content[sectionMean] = floatBytes(e.mean)
	c.encoder.made = e
}

// keptNumbers is the most numbers of what was read that are kept between two passes over the
// texts, 64 MB. Of larger corpora some texts are read twice.
const keptNumbers = 1 << 24

// average computes the encoder's mean. Blocks are summed separately and then added in
// order, so that the result does not depend on the number of processors. It returns what was
// read of the blocks that are kept, nil for others.
func (c *Corpus) average(ctx context.Context, e *Encoder, done *progress.Counter) (read []*readings, err error) {
	sums := make([][]float64, (c.Len()+encodedAtOnce-1)/encodedAtOnce)
	read = make([]*readings, len(sums))
	var kept atomic.Int64
	err = parallel.Blocked(ctx, c.Len(), encodedAtOnce, func(_ context.Context, from, to int) error {
		sum, v := make([]float64, e.Dim()), make([]float64, e.Dim())
		r := c.read(e, from, to)
		for i := range to - from {
			e.raw(v, r, i)
			for k, x := range v {
				sum[k] += x
			}
		}
		sums[from/encodedAtOnce] = sum
		if kept.Add(int64(len(r.numbers))) <= keptNumbers {
			read[from/encodedAtOnce] = &readings{slices.Clone(r.numbers), r.ends}
		}
		done.Add(to - from)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, sum := range sums {
		for k, x := range sum {
			e.mean[k] += x
		}
	}
	for k := range e.mean {
		e.mean[k] /= float64(c.Len())
	}
	return read, nil
}

// read returns what the encoder reads of some texts.
func (c *Corpus) read(e *Encoder, from, to int) *readings {
	r := &readings{ends: make([]int, 0, (to-from)*len(e.parts))}
	for i := from; i < to; i++ {
		e.read(r, c.text(i))
	}
	return r
}

// encode computes the vectors of the texts.
func (c *Corpus) encode(ctx context.Context, e *Encoder, read []*readings, done *progress.Counter) error {
	vectors := inner.NewBlocks(c.Len(), e.Dim())
	c.content[sectionVectors] = vectors
	return parallel.Blocked(ctx, c.Len(), encodedAtOnce, func(_ context.Context, from, to int) error {
		var v []int8
		r, raw := read[from/encodedAtOnce], make([]float64, e.Dim())
		if r == nil {
			r = c.read(e, from, to)
		}
		for i := from; i < to; i++ {
			e.raw(raw, r, i-from)
			v = e.finish(v[:0], raw)
			inner.Set(vectors, i, v)
		}
		read[from/encodedAtOnce] = nil
		done.Add(to - from)
		return nil
	})
}

// bring stores the caller's vectors.
func (c *Corpus) bring(ctx context.Context, b *Builder) error {
	c.card.Dimensions = b.options.Dimensions
	vectors := inner.NewBlocks(c.Len(), c.Dim())
	v := make([]float64, c.Dim())
	var grid []int8
	for i, record := range b.record {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.options.Progress.Stage("reading vectors").At(i, c.Len())
		}
		if err := b.options.Vectors(v, record); err != nil {
			return err
		}
		grid = Quantize(grid[:0], v)
		inner.Set(vectors, i, grid)
	}
	c.content[sectionVectors] = vectors
	return nil
}

// ask stores the vectors of the caller's encoder.
func (c *Corpus) ask(ctx context.Context, o *Options) error {
	c.card.Dimensions = o.Program.Dim()
	vectors := inner.NewBlocks(c.Len(), c.Dim())
	done := o.Progress.Stage("encoding texts").Counter(c.Len())
	var grid []int8
	for from := 0; from < c.Len(); from += encodedAtOnce {
		var texts [][]byte
		for i := from; i < min(from+encodedAtOnce, c.Len()); i++ {
			texts = append(texts, c.text(i))
		}
		found, err := o.Program.Vectors(ctx, texts)
		if err != nil {
			return err
		}
		for i, v := range found {
			grid = Quantize(grid[:0], v)
			inner.Set(vectors, from+i, grid)
		}
		done.Add(len(texts))
	}
	c.content[sectionVectors] = vectors
	return nil
}

// Along returns a corpus of the same texts whose encoder, and so its clusters, also reads
// words for labels. It is the corpus that a Builder with Options.About makes of these texts,
// without its clusters. The table is that of Encoder.
func (c *Corpus) Along(ctx context.Context, w *about.Words, table *embedding.Table, report progress.Func) (*Corpus, error) {
	if own := c.card.Encoder.About; own != nil {
		if own.SHA256 != w.Digest() {
			return nil, errWordsTwice
		}
		return c, nil
	}
	e, err := c.Encoder(table)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return nil, errors.New("corpus: it has no encoder that could read words for labels: its vectors were given")
	}
	if c.Dim()+aboutDim(w) > MaxDim {
		return nil, errors.New("corpus: its vectors have too many dimensions for words for labels")
	}
	d := &Corpus{card: c.card, content: c.content}
	d.card.Clusters, d.card.Clusterings = 0, nil
	d.content[sectionCentres], d.content[sectionClusters] = nil, nil
	d.useWords(w)
	parts := append(e.parts[:len(e.parts):len(e.parts)], newAboutPart(w, table))
	if err := d.encodeTexts(ctx, newEncoder(parts, nil), report); err != nil {
		return nil, err
	}
	d.table = nearest.New(d.content[sectionVectors], d.Len(), d.Dim())
	return d, d.seal()
}
