package sotto

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// retrieved is the plan that replaces each whole text by one of a public corpus. A text
// is any bytes. Nothing of a text is counted.
type retrieved struct {
	mechanism.Retriever
	corpus  *corpus.Corpus
	encoder *corpus.Encoder // nil if the caller provides vectors
	seed    *uint64
	perUser int     // Config.PerUser
	total   float64 // epsilon per user

	certificate *audit.Certificate // nil if no loss is known exactly
}

// openRetrieved opens a mechanism over the texts of the corpus.
func (cfg *Config) openRetrieved(ctx context.Context, entry mechanism.Entry) (*retrieved, error) {
	if entry.NewRetriever == nil {
		return nil, privacy.Bad(entry.Name, "unit", "text", "left out: this mechanism does not replace whole texts by public ones")
	}
	if cfg.PerUser < 0 || cfg.PerUser > MostPerUser {
		return nil, privacy.Bad(entry.Name, "per-user", cfg.PerUser, fmt.Sprintf("1 to %d", MostPerUser))
	}
	p := &retrieved{corpus: cfg.Corpus, seed: cfg.InsecureSeed, perUser: cfg.PerUser, total: cfg.Epsilon}
	var err error
	if p.corpus == nil {
		if p.corpus, err = corpus.English(); err != nil {
			return nil, err
		}
	}
	if p.encoder, err = p.corpus.Encoder(cfg.Table); err != nil {
		return nil, err
	}
	spec := cfg.Spec()
	spec.BroughtVectors = p.encoder == nil
	p.Retriever, err = entry.NewRetriever(ctx, p.corpus, spec)
	if err != nil {
		return nil, err
	}
	known := audit.KnownTextsCertificate(entry.Name, p.Retriever, p.corpus)
	if known != nil {
		known.Request = audit.RequestOf(spec)
	}
	p.certificate, err = cfg.certify(p.Claim(), known,
		func(c *audit.Certificate) error { return c.FitsTexts(entry.Name, p.Retriever, p.corpus) })
	if err != nil {
		return nil, err
	}
	return p, nil
}

// read encodes each text separately.
func (p *retrieved) read(texts [][]byte, at Position) (batch, error) {
	if p.encoder == nil {
		return nil, errNeedsVectors
	}
	b := &retrievedBatch{plan: p, at: at, vectors: make([]int8, 0, len(texts)*p.encoder.Dim())}
	for _, t := range texts {
		b.vectors = p.encoder.Encode(b.vectors, t)
		b.counts.add(0, 0, 1, 1)
	}
	return b, nil
}

// readVectors quantizes the caller's vectors.
func (p *retrieved) readVectors(vectors [][]float64, at Position) (batch, error) {
	if p.encoder != nil {
		return nil, errNoVectors
	}
	dim := p.corpus.Dim()
	b := &retrievedBatch{plan: p, at: at, vectors: make([]int8, 0, len(vectors)*dim)}
	for _, v := range vectors {
		if len(v) != dim {
			return nil, badDimensions(len(v), dim)
		}
		b.vectors = corpus.Quantize(b.vectors, v)
		b.counts.add(0, 0, 1, 1)
	}
	return b, nil
}

var (
	errNeedsVectors = privacy.Bad("vectors", "vectors of the texts", nil, "given: the corpus was built from given vectors and has no encoder")
	errNoVectors    = privacy.Bad("vectors", "vectors of the texts", nil, "left out: only a corpus built from given vectors needs them")
)

func badDimensions(dim, must int) error {
	return privacy.Bad("vectors", "components of a row", dim, fmt.Sprintf("%d, as in the corpus", must))
}

// takes refuses a stream with vectors or users that the rewriter does not use, and a
// stream without those that it needs.
func (r *Rewriter) takes(s Stream) error {
	p, ok := r.plan.(*retrieved)
	brought := ok && p.encoder == nil
	spans := r.Claim().Unit == privacy.MarkedToken
	switch {
	case spans && s.Spans == nil:
		return errNeedsSpans
	case !spans && s.Spans != nil:
		return privacy.Bad("sotto", "spans", nil, "left out: the configuration is not for marked texts")
	case r.perUser() > 0 && (s.Users == nil || s.Users.most != p.perUser):
		return errNeedsUsers
	case r.perUser() == 0 && s.Users != nil:
		return privacy.Bad("users", "the users of the texts", nil, "left out: the claim is per text, not per user")
	case brought && s.Vectors == nil:
		return errNeedsVectors
	case !brought && s.Vectors != nil:
		return errNoVectors
	case brought:
		if _, dim := s.Vectors.Shape(); dim != p.corpus.Dim() {
			return badDimensions(dim, p.corpus.Dim())
		}
	}
	return nil
}

// perUser returns Config.PerUser.
func (r *Rewriter) perUser() int {
	if p, ok := r.plan.(*retrieved); ok {
		return p.perUser
	}
	return 0
}

// empty returns n empty texts, read.
func (p *retrieved) empty(n int, at Position) (batch, error) {
	if p.encoder != nil {
		return p.read(make([][]byte, n), at)
	}
	vectors := make([][]float64, n)
	for i := range vectors {
		vectors[i] = make([]float64, p.corpus.Dim())
	}
	return p.readVectors(vectors, at)
}

// released returns the claim for everything that a run releases of one text, or of one
// user.
func (p *retrieved) released() privacy.Claim {
	c := p.Claim()
	if p.perUser > 0 {
		c.Unit, c.Epsilon = privacy.User, p.total
	}
	return c
}

// Settings returns the mechanism's settings and the rows per user.
func (p *retrieved) Settings() []mechanism.Setting {
	settings := p.Retriever.Settings()
	if p.perUser > 0 {
		settings = append(settings[:len(settings):len(settings)], mechanism.Setting{Name: "per-user", Value: p.perUser})
	}
	return settings
}

// retrievedBatch stores one vector per text, and nothing else of it.
type retrievedBatch struct {
	plan    *retrieved
	at      Position
	vectors []int8
	counts  Counts
}

func (b *retrievedBatch) counted() (Counts, Content) { return b.counts, Content{} }

// length returns 1: a draw costs the same for every text.
func (b *retrievedBatch) length(int) int { return 1 }

// words returns none: texts are not cut into words.
func (b *retrievedBatch) words(int) iter.Seq[ReadWord] { return func(func(ReadWord) bool) {} }

func (b *retrievedBatch) draw(ctx context.Context) (copies, error) {
	var source func(row int) rand.Source
	if b.at.repeats(b.plan.seed) {
		source = func(row int) rand.Source { return b.at.source(b.plan.seed, row) }
	}
	drawn, err := b.plan.Draw(ctx, nil, b.vectors, source)
	if err != nil {
		return copies{}, err
	}
	if len(drawn) != b.counts.Documents {
		return copies{}, errors.New("sotto: the mechanism drew a wrong number of texts")
	}
	texts := make([][]byte, len(drawn))
	for i, y := range drawn {
		texts[i] = b.plan.corpus.AppendText(nil, int(y))
	}
	return copies{texts: texts, drawn: drawn, pieces: func() [][]string {
		pieces := make([][]string, len(texts))
		for i, t := range texts {
			pieces[i] = []string{string(t)}
		}
		return pieces
	}}, nil
}

// CorpusFigures describes a corpus in a statement.
type CorpusFigures struct {
	Name    string      `json:"name"`
	Texts   int         `json:"texts"` // the number M of texts
	SHA256  string      `json:"sha256"`
	Public  bool        `json:"declared_public"`
	Encoder corpus.Kind `json:"encoder"`
}

// CorpusFiguresOf returns the figures of a corpus.
func CorpusFiguresOf(c *corpus.Corpus) *CorpusFigures {
	return &CorpusFigures{Name: c.Name(), Texts: c.Len(), SHA256: c.Digest(), Public: c.Declared(), Encoder: c.Card().Encoder.Kind}
}
