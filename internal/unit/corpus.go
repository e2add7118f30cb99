package unit

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Retrieval is what was opened for a corpus.
type Retrieval struct {
	Entry       mechanism.Entry
	Retriever   mechanism.Retriever
	Corpus      *corpus.Corpus
	Encoder     *corpus.Encoder    // nil if the caller provides vectors
	Encode      corpus.TextEncoder // of the caller, who then provides texts; nil for none
	Certificate *audit.Certificate // nil if no loss is known exactly
	Seed        *uint64
	PerUser     int     // largest number of released rows per user; 0: the claim is per text
	Total       float64 // epsilon per user
	NoParts     error
}

// Corpus is the unit of whole texts, each of which is replaced by one of a public corpus. A text
// is any bytes. Nothing of a text is counted except for its operator.
type Corpus struct {
	Retrieval
	draws *draws
}

// OfCorpus returns the unit of what was opened.
func OfCorpus(r Retrieval) *Corpus { return &Corpus{r, from(r.Seed)} }

// Facts returns how the corpus was opened.
func (c *Corpus) Facts() statement.Facts {
	claim := c.Retriever.Claim()
	return statement.Facts{
		Entry: c.Entry, Settings: c.settings(), Claim: claim, Seeded: c.draws.seeded(), Certificate: c.Certificate,
		Loss: func() float64 { return claim.Epsilon }, Of: c.texts(),
	}
}

func (c *Corpus) texts() statement.Texts {
	return statement.Texts{Corpus: c.Retrieval.Corpus, Levels: c.Retriever.Levels(), Brought: c.Encoder == nil, PerUser: c.PerUser, Total: c.Total}
}

// Needs returns the vectors and users that come with texts.
func (c *Corpus) Needs() release.Needs {
	n := release.Needs{PerUser: c.PerUser, NoParts: c.NoParts, Pool: &release.Pooling{Facts: c.texts(), Order: c.draws.order, Empty: c.empty, Text: c.text}}
	if c.Encoder == nil {
		n.Dimensions = c.Retrieval.Corpus.Dim()
		if c.Encode != nil {
			n.Encode = c.Encode
		}
	}
	return n
}

// settings returns the mechanism's settings and the rows per user.
func (c *Corpus) settings() []mechanism.Setting {
	settings := c.Retriever.Settings()
	if c.PerUser > 0 {
		settings = append(settings[:len(settings):len(settings)], mechanism.Setting{Name: "per-user", Value: c.PerUser})
	}
	return settings
}

// Read encodes each text separately, or quantizes the caller's vectors.
func (c *Corpus) Read(t release.Texts, at release.Position) (release.Batch, error) {
	if c.Encoder == nil {
		b := c.batch(len(t.Vectors), at)
		for _, v := range t.Vectors {
			b.vectors = corpus.Quantize(b.vectors, v)
		}
		return b, nil
	}
	b := c.batch(len(t.Bytes), at)
	for _, one := range t.Bytes {
		var known corpus.Known
		b.vectors, known = c.Encoder.EncodeKnown(b.vectors, one)
		b.content.Add(statement.Content{UnknownTokens: known.Unknown, ReadTokens: known.Words})
	}
	return b, nil
}

// Vector returns the vector of one text.
func (c *Corpus) Vector(ctx context.Context, text []byte) ([]int8, error) {
	if c.Encoder != nil {
		return c.Encoder.Encode(nil, text), nil
	}
	if c.Encode == nil {
		return nil, release.ErrNeedsVectors
	}
	vectors, err := c.Encode.Vectors(ctx, [][]byte{text})
	if err != nil {
		return nil, err
	}
	return corpus.Quantize(nil, vectors[0]), nil
}

func (c *Corpus) batch(n int, at release.Position) *corpusBatch {
	b := &corpusBatch{unit: c, at: at, vectors: make([]int8, 0, n*c.Retrieval.Corpus.Dim())}
	for range n {
		b.counts.Count(0, 0, 1, 1)
	}
	return b
}

// empty returns n empty texts, read.
func (c *Corpus) empty(n int, at release.Position) (release.Batch, error) {
	t := release.Texts{Bytes: make([][]byte, n)}
	if c.Encoder == nil {
		t.Vectors = make([][]float64, n)
		for i := range t.Vectors {
			t.Vectors[i] = make([]float64, c.Retrieval.Corpus.Dim())
		}
	}
	return c.Read(t, at)
}

func (c *Corpus) text(dst []byte, drawn uint32) []byte {
	return c.Retrieval.Corpus.AppendText(dst, int(drawn))
}

// corpusBatch stores one vector per text, and nothing else of it but what the encoder knew.
type corpusBatch struct {
	release.Whole
	unit    *Corpus
	at      release.Position
	vectors []int8
	counts  statement.Counts
	content statement.Content
}

func (b *corpusBatch) Counted() (statement.Counts, statement.Content) {
	return b.counts, b.content
}

// Length returns 1: a draw costs the same for every text.
func (b *corpusBatch) Length(int) int { return 1 }

func (b *corpusBatch) Draw(ctx context.Context) (release.Drawn, error) {
	from := b.unit.draws.begin(b.at)
	defer from.end()
	drawn, err := b.unit.Retriever.Draw(ctx, nil, b.vectors, from.text)
	if err != nil {
		return release.Drawn{}, err
	}
	if len(drawn) != b.counts.Documents {
		return release.Drawn{}, errors.New("sotto: the mechanism drew a wrong number of texts")
	}
	texts := make([][]byte, len(drawn))
	for i, y := range drawn {
		texts[i] = b.unit.text(nil, y)
	}
	return release.Drawn{Texts: texts, Indices: drawn, Pieces: func() [][]string {
		pieces := make([][]string, len(texts))
		for i, t := range texts {
			pieces[i] = []string{string(t)}
		}
		return pieces
	}}, nil
}
