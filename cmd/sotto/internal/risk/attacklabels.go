package risk

import (
	"context"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// readLabels reads the public texts with their labels, and numbers those of the sample.
func (c *attackSample) readLabels(ctx context.Context, term *cli.Terminal, label string, sample []cli.LabelledText) (*attackLabels, error) {
	l := &attackLabels{original: map[string]*attack.Share{}}
	number := map[string]int{}
	for _, name := range c.Corpus {
		rows, err := c.corpusFlags(name).Labelled(ctx, term, name, label)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			k, ok := number[r.By]
			if !ok {
				k = len(l.Classes)
				number[r.By] = k
				l.Classes = append(l.Classes, r.By)
			}
			l.Public, l.public = append(l.Public, k), append(l.public, r.Text)
		}
	}
	if len(l.Classes) < 2 {
		return nil, cli.WrongUsage("", "--label needs two labels or more in --corpus, got %d", len(l.Classes))
	}
	for _, r := range sample {
		k, ok := number[r.By]
		if !ok {
			k = attack.Unlabelled
		}
		l.Sample = append(l.Sample, k)
	}
	return l, nil
}

// guess stores the share of labels that is found in releases by a classifier of releases
// of public texts, and in the originals by one of the public texts themselves. unit names
// the features, which have dim numbers per text.
func (l *attackLabels) guess(ctx context.Context, row *attack.Row, unit string, dim int, publicReleased, released []float32, clear func() (public, sample []float32)) error {
	found, err := l.Guess(ctx, dim, publicReleased, released)
	if err != nil {
		return err
	}
	row.Set("attribute", found, &row.Attribute)
	row.Set("attribute_blind", l.Blind(), &row.AttributeBlind)
	if l.original[unit] == nil {
		public, sample := clear()
		if l.original[unit], err = l.Guess(ctx, dim, public, sample); err != nil {
			return err
		}
	}
	row.Set("attribute_original", l.original[unit], &row.AttributeOriginal)
	return nil
}

// guessWords attacks the labels of releases of words, and of the texts restored from them.
// Features are the mean vectors of the words.
func (r *attackRun) guessWords(ctx context.Context, row *attack.Row, m mechanism.Channel, w *attack.Words) error {
	l := r.labels
	if l == nil {
		return nil
	}
	tokenizer := tokenize.NewTokenizer(r.table)
	public := make([][]embedding.ID, len(l.public))
	for i, t := range l.public {
		public[i], _ = tokenizer.Tokenize(nil, t)
	}
	released, err := attack.ReleaseWords(m, public, r.sample.Seed)
	if err != nil {
		return err
	}
	originals := make([][]embedding.ID, len(r.texts))
	for i, t := range r.texts {
		originals[i] = t.Words
	}
	dim, clear := r.table.Dim(), attack.Means(r.table, public, nil)
	err = l.guess(ctx, row, "words", dim, attack.Means(r.table, released, nil), attack.Means(r.table, w.Released, nil), func() ([]float32, []float32) {
		return clear, attack.Means(r.table, originals, nil)
	})
	if err != nil {
		return err
	}
	restored, err := l.Guess(ctx, dim, clear, attack.Means(r.table, w.Restored, nil))
	row.Set("attribute_restored", restored, &row.AttributeRestored)
	return err
}

// guessTexts attacks the labels of releases of texts of a corpus. Features are those of
// the corpus's encoder.
func (r *attackRun) guessTexts(ctx context.Context, row *attack.Row, f *opening.Features, m mechanism.Retriever, released []uint32) error {
	l := r.labels
	if l == nil {
		return nil
	}
	var vectors []int8
	for _, t := range l.public {
		vectors = f.Encoder.Encode(vectors, t)
	}
	public, err := attack.ReleaseTexts(ctx, m, vectors, r.sample.Seed)
	if err != nil {
		return err
	}
	of := f.New(nil)
	ofCorpus := func(texts []uint32) (rows []float32) {
		for _, z := range texts {
			rows = append(rows, of.TextRow(f.Corpus, int(z)).Features...)
		}
		return rows
	}
	ofTexts := func(texts [][]byte) (rows []float32) {
		for _, t := range texts {
			rows = append(rows, of.Row(t).Features...)
		}
		return rows
	}
	return l.guess(ctx, row, "texts", of.Dim(), ofCorpus(public), ofCorpus(released), func() ([]float32, []float32) {
		return ofTexts(l.public), ofTexts(r.raw)
	})
}

// guessVectors attacks the labels of released vectors of a codebook. average returns the
// mean vector of a text's words.
func (r *attackRun) guessVectors(ctx context.Context, row *attack.Row, m mechanism.Coded, average func(text []byte) []float32, released []uint32) error {
	l := r.labels
	if l == nil {
		return nil
	}
	clear := func(texts [][]byte) (vectors []int8) {
		for _, t := range texts {
			vectors = m.Grid(vectors, average(t))
		}
		return vectors
	}
	public := clear(l.public)
	retriever, _ := m.Channel()
	drawn, err := attack.ReleaseTexts(ctx, retriever, public, r.sample.Seed)
	if err != nil {
		return err
	}
	_, dim := m.Dimensions()
	decoded := func(releases []uint32) []float32 {
		rows := make([]float32, dim*len(releases))
		for i, z := range releases {
			m.Decode(rows[i*dim:(i+1)*dim], z, false)
		}
		return rows
	}
	return l.guess(ctx, row, "vectors "+row.Mechanism, dim, decoded(drawn), decoded(released), func() ([]float32, []float32) {
		return floats(public), floats(clear(r.raw))
	})
}

func floats(v []int8) []float32 {
	rows := make([]float32, len(v))
	for i, x := range v {
		rows[i] = float32(x)
	}
	return rows
}
