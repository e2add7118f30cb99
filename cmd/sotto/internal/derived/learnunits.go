package derived

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/learn"
)

// unitRows make the unit vectors of texts.
type unitRows struct{ embedder *sotto.Embedder }

func (u *unitRows) Dim() int { return u.embedder.Dimensions() }

func (u *unitRows) Row(text []byte) (learn.Row, error) {
	v, err := u.embedder.Unprotected(nil, text)
	return learn.Row{Features: v}, err
}

// unitsOf opens what makes unit vectors, and refuses another table, corpus or map. file is the
// report or the model that names them.
func (c *LearnCmd) unitsOf(ctx context.Context, file string, s *learn.VectorSource) (*unitRows, error) {
	from := sotto.Vectors{Mechanism: s.Mechanism, Epsilon: s.Epsilon, Parameters: s.Parameters}
	over := c.overTable
	if s.Corpus != "" {
		over = c.overEncoder
	}
	if err := over(ctx, file, s, &from); err != nil {
		return nil, err
	}
	e, err := sotto.OpenEmbedder(ctx, from)
	if err != nil {
		return nil, err
	}
	if own := e.Statement(sotto.Counts{}).Parameters[mapDigest]; own != s.Map {
		return nil, fmt.Errorf("the vectors were made with another public map (sha256 %.12s) than that of this version", s.Map)
	}
	return &unitRows{e}, nil
}

// overTable opens the table of averages of words.
func (c *LearnCmd) overTable(ctx context.Context, _ string, s *learn.VectorSource, v *sotto.Vectors) (err error) {
	if v.Table, err = opening.Table(ctx, c.Embeddings); err == nil && v.Table.Digest() != s.Table {
		err = cli.WrongUsage("name it with --embeddings", "the vectors were made with another table (sha256 %.12s, not %.12s)", s.Table, v.Table.Digest())
	}
	return err
}

// overEncoder opens the corpus whose encoder made the vectors, and its program.
func (c *LearnCmd) overEncoder(ctx context.Context, file string, s *learn.VectorSource, v *sotto.Vectors) (err error) {
	if v.Corpus, err = opening.Corpus(ctx, cmp.Or(c.Corpus, opening.BesideFile(file, s.Name))); err != nil {
		return err
	}
	if own := v.Corpus.Digest(); own != s.Corpus {
		return cli.WrongUsage("name it with --corpus", "the vectors were made with another corpus (sha256 %.12s, not %.12s)", s.Corpus, own)
	}
	if c.Embeddings != "" {
		if v.Table, err = opening.Table(ctx, c.Embeddings); err != nil {
			return err
		}
	}
	if v.Corpus.Card().Encoder.Kind == corpus.Brought || c.EncoderProgram != "" {
		v.Encode, err = opening.Encode(ctx, v.Corpus, c.EncoderProgram)
	}
	return err
}
