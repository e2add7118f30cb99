package corpus

import (
	"context"
	"encoding/hex"

	"github.com/sotto-dp/sotto/embedding/builtin"
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
