package unit

import (
	"context"
	"errors"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Retrieval is what was opened for a corpus.
type Retrieval struct {
	Encoding
	Entry       mechanism.Entry
	Retriever   mechanism.Retriever
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
		Loss: func() float64 { return claim.Epsilon }, Of: c.figures(),
	}
}

func (c *Corpus) figures() statement.Texts {
	return statement.Texts{Corpus: c.Retrieval.Corpus, Levels: c.Retriever.Levels(), Brought: c.Encoder == nil, Probes: c.Probes, PerUser: c.PerUser, Total: c.Total}
}

// Needs returns the vectors and users that come with texts.
func (c *Corpus) Needs() release.Needs {
	n := release.Needs{PerUser: c.PerUser, NoParts: c.NoParts, Pool: &release.Pooling{Facts: c.figures(), Order: c.draws.order, Empty: c.empty, Text: c.text}}
	c.needs(&n)
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
	b := c.batch(c.texts(t), at)
	b.vectors, b.content = c.read(b.vectors, t)
	return b, nil
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
	return c.Read(c.blank(n), at)
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
