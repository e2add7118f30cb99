package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/text/terms"
)

// Likeness is how similar public samples are to a corpus.
type Likeness struct {
	Name string `json:"name"`
	// Similarity is, of a sample, the cosine to the nearest text of the corpus, times the
	// share of its words that the encoder knows; on average.
	Similarity float64 `json:"similarity"`
}

// compared bounds the texts of a corpus that samples are compared with, evenly spaced, so
// that a larger corpus has no advantage by its size.
const compared = 12_000

// Compare returns how similar public samples are to corpora that [Find] opens by these
// names, most similar first. Corpora of the embedded table are compared by the encoder of
// english, so that their figures can be compared, others by their own. Corpora without an
// encoder have similarity 0.
//
// Samples must be public: what is chosen by a computation on private texts reveals
// something of them, and no claim accounts for that.
func Compare(ctx context.Context, names []string, samples [][]byte) ([]Likeness, error) {
	var all []Likeness
	for _, name := range names {
		s, err := sideOf(name)
		if err != nil {
			return nil, err
		}
		l := Likeness{Name: name}
		if s != nil {
			if l.Similarity, err = s.similarity(ctx, samples); err != nil {
				return nil, err
			}
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b Likeness) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return all, nil
}

// side is a corpus in a comparison.
type side struct {
	texts   []string
	encoder *Encoder
	read    func() terms.Reader
	knows   func(term string) bool
}

// sideOf returns a corpus with the encoder to compare by, nil if it has none. A field
// that english can read need not be made for this.
func sideOf(name string) (*side, error) {
	s := &side{read: terms.Of(nil)}
	if f := fieldOf(name); f != nil && f.Encoder != LSA {
		texts, err := f.texts()
		s.texts = spaced(compared, len(texts), func(i int) string { return texts[i] })
		if err != nil {
			return nil, err
		}
		return s, s.byEnglish()
	}
	c, err := Find(name)
	if err != nil || c.card.Encoder.Kind == Brought {
		return nil, err
	}
	s.texts = spaced(compared, c.Len(), c.Text)
	table := c.card.Encoder.Table
	if english, err := builtin.English(); err != nil || table != nil && table.SHA256 == english.Digest() {
		return s, s.byEnglish()
	}
	if s.encoder, err = c.Encoder(nil); err != nil {
		return nil, err
	}
	for _, p := range s.encoder.parts {
		switch p := p.(type) {
		case *wordMean:
			s.read = terms.Of(p.table)
			s.knows = func(term string) bool { _, ok := p.table.Lookup(term); return ok }
		case *semantic:
			if s.knows == nil {
				s.knows = func(term string) bool { _, ok := p.index[term]; return ok }
			}
		}
	}
	return s, nil
}

// byEnglish compares by the encoder of english.
func (s *side) byEnglish() error {
	table, err := builtin.English()
	if err != nil {
		return err
	}
	c, err := English()
	if err != nil {
		return err
	}
	s.knows = func(term string) bool { _, ok := table.Lookup(term); return ok }
	s.encoder, err = c.Encoder(nil)
	return err
}

// similarity compares samples with the texts.
func (s *side) similarity(ctx context.Context, samples [][]byte) (float64, error) {
	dim := s.encoder.Dim()
	vectors := inner.NewBlocks(len(s.texts), dim)
	err := parallel.Blocked(ctx, len(s.texts), encodedAtOnce, func(_ context.Context, from, to int) error {
		var v []int8
		for i := from; i < to; i++ {
			v = s.encoder.Encode(v[:0], []byte(s.texts[i]))
			inner.Set(vectors, i, v)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	table := nearest.New(vectors, len(s.texts), dim)
	square, sum := float64(Radius(dim))*float64(Radius(dim)), 0.0
	var v []int8
	read := s.read()
	for _, text := range samples {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		words, known := 0, 0
		read(text[:min(len(text), maxEncoded)], func(term []byte) {
			words++
			if s.knows(string(term)) {
				known++
			}
		})
		v = s.encoder.Encode(v[:0], text)
		sum += float64(float64(table.Ranked(v, 1)[0].Score)/square) * float64(known) / float64(max(1, words))
	}
	return sum / float64(max(1, len(samples))), nil
}
