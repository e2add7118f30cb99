package corpus

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/nearest"
)

// BuildField builds the corpus of a field from its texts, as the program and its generator
// do.
func BuildField(name string, encoder Kind, texts []string) (*Corpus, error) {
	o := Options{Name: name, Public: true, Encoder: encoder, Similar: 1}
	if encoder != LSA {
		var err error
		if o.Table, err = builtin.English(); err != nil {
			return nil, err
		}
	}
	b, err := NewBuilder(o)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if err := b.Add([]byte(t)); err != nil {
			return nil, err
		}
	}
	return b.Build(context.Background())
}

// FileDigest returns the hexadecimal SHA-256 of the header of the corpus's file, which has
// the digests of all its sections: also those that Digest does not cover, such as the
// stored clusters.
func (c *Corpus) FileDigest() string {
	h := c.header()
	return hex.EncodeToString(h[headerSize+entrySize*sectionCount:][:32])
}

// Build returns the corpus of the added records. The builder cannot be used afterwards.
func (b *Builder) Build(ctx context.Context) (*Corpus, error) {
	b.seen = nil
	if err := b.dropSimilar(ctx); err != nil {
		return nil, err
	}
	n := len(b.ends)
	if n == 0 {
		return nil, fmt.Errorf("corpus: there are no texts (%d records)", b.source.Records)
	}
	c := &Corpus{card: Card{Name: b.options.Name, DeclaredPublic: b.options.Public, Texts: n, Source: b.source, Written: b.options.Written,
		Encoder: EncoderCard{Kind: b.options.Encoder, Version: encoderVersion}}}
	offsets := make([]byte, 8, 8*(n+1))
	for _, end := range b.ends {
		offsets = binary.LittleEndian.AppendUint64(offsets, uint64(end))
	}
	c.content[sectionOffsets], c.content[sectionTexts] = offsets, b.texts
	var err error
	switch {
	case b.options.Vectors != nil:
		err = c.bring(ctx, b)
	case b.options.Program != nil:
		err = c.ask(ctx, &b.options)
	default:
		err = c.fit(ctx, &b.options)
	}
	if err != nil {
		return nil, err
	}
	c.table = nearest.New(c.content[sectionVectors], n, c.Dim())
	if err := c.cluster(ctx, &b.options); err != nil {
		return nil, err
	}
	return c, c.seal()
}
