package experiment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/firstwords"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/text/about"
)

// codebook is public texts for the private texts of a set, and what learning from
// releases over them needs.
type codebook struct {
	labels            []string
	private, measured dataset.Split
	corpus            *corpus.Corpus
	encoder           learn.Encoder
	table             *embedding.Table
	place             map[string]int                  // of each public text
	public            *learn.Vocabulary               // of the corpus
	words             *about.Words                    // for the labels; nil for none
	components        int                             // of a vector, that come from words
	known             *learn.Model                    // learnt from words and public texts alone; nil for none
	tests             memo[learn.Data]                // features of the measured texts, by vocabulary
	labelled          dataset.Split                   // public texts of the set itself, those that are left out too
	clear             func() (*learn.Model, error)    // learnt from the private texts as they are
	judge             func() (*language.Model, error) // of the measured texts
}

// sharedRun is the number of words in a row that no public text shares with a private
// or a measured one.
const sharedRun = 6

// The codebooks: texts of the set itself, and the embedded corpus. Any other name is
// that of a set whose training texts are public.
const (
	ownTexts     = "own"
	englishTexts = "english"
)

// codebookParams are the parameters that name a codebook. See [Bench.codebook].
var codebookParams = []string{"set", "codebook", "private", "public", "spare", "measured", "test", "encoder", "table", "about"}

// codebook reads codebookParams: private, public, spare and test are numbers of texts.
// Private texts are of the set's training part. So are the public ones of the
// codebook "own", which are other texts; spare ones of the test part join them.
// Measured texts are of the test part, or where measured is "dev" of a development
// part (see developed): no text is in two parts.
func (b *Bench) codebook(ctx context.Context, p result.Params) (*codebook, error) {
	key := ""
	for _, name := range codebookParams {
		key += p.Get(name) + " "
	}
	return b.codebooks.get(key, func() (*codebook, error) {
		set, err := b.Set(p.Get("set"))
		if err != nil {
			return nil, err
		}
		c := &codebook{labels: set.Labels}
		if c.words, err = dataset.Words(set.Name); err != nil {
			return nil, err
		}
		if c.table, err = b.Table(p.Get("table")); err != nil {
			return nil, err
		}
		parts, rest := set.Train.Cut(number(p, "private"), number(p, "public"))
		c.private = parts[0]
		public := parts[1].Texts
		if n := number(p, "spare"); n > 0 {
			tests, _ := set.Test.Cut(keptTests, keptDevelopment, n)
			set = &dataset.Set{Name: set.Name, Test: tests[0], Dev: tests[1]}
			public, rest = append(public, tests[2].Texts...), dataset.Split{}
		}
		c.measured = set.Test
		if p.Get("measured") == "dev" {
			c.measured = developed(set, rest)
		}
		c.measured = c.measured.Some(number(p, "test"))
		if c.measured.Len() == 0 || c.private.Len() == 0 {
			return nil, fmt.Errorf("experiment: %s has no texts left to learn from or to measure on", set.Name)
		}
		if name := p.Get("codebook"); name != ownTexts && name != englishTexts {
			other, err := b.Set(name)
			if err != nil {
				return nil, err
			}
			public = other.Train.Some(number(p, "public")).Texts
		}
		if err := c.open(ctx, p, dataset.WithoutRuns(public, sharedRun, c.private.Texts, c.measured.Texts)); err != nil {
			return nil, err
		}
		c.labelled = parts[1]
		return c, c.learnKnown(ctx)
	})
}

// Where test texts are spare, the first of them are measured and the next ones are the
// development part. Neither is public.
const (
	keptTests       = 5000
	keptDevelopment = 3000
)

// developed returns the development part: the rest of the training part, or the set's own
// if nothing remains.
func developed(set *dataset.Set, rest dataset.Split) dataset.Split {
	if rest.Len() > 0 {
		return rest
	}
	return set.Dev
}

// open makes the corpus, or takes the embedded one.
func (c *codebook) open(ctx context.Context, p result.Params, public []string) (err error) {
	kind, first := strings.CutSuffix(p.Get("encoder"), firstwords.Suffix)
	if p.Get("codebook") == englishTexts {
		c.corpus, err = corpus.English()
	} else {
		c.corpus, err = build(ctx, corpus.Options{Encoder: corpus.Kind(kind), Table: c.table}, public)
	}
	if err != nil {
		return err
	}
	table := c.table
	if c.corpus.Card().Encoder.Table == nil {
		table = nil
	}
	if c.encoder, err = c.corpus.Encoder(table); err != nil {
		return err
	}
	along := p.Get("about") != "" && c.words != nil
	if along && !first {
		if c.corpus, err = c.corpus.Along(ctx, c.words, table, nil); err != nil {
			return err
		}
		if c.encoder, err = c.corpus.Encoder(table); err != nil {
			return err
		}
		c.components = c.corpus.AboutDim()
	}
	if first {
		e := firstwords.New(c.encoder, c.table, public)
		if c.encoder = e; along {
			e.Words = c.words
			c.components = e.AboutDim()
		}
		c.corpus, err = build(ctx, corpus.Options{Dimensions: e.Dim(), Vectors: func(v []float64, i int) error { copy(v, e.Vector(public[i])); return nil }}, public)
		if err != nil {
			return err
		}
	}
	c.place = map[string]int{}
	for i := range c.corpus.Len() {
		c.place[c.corpus.Text(i)] = i
	}
	c.judge = sync.OnceValues(func() (*language.Model, error) {
		return metric.Trigram(context.WithoutCancel(ctx), c.table, dataset.Encode(c.table, c.measured).Texts())
	})
	return nil
}

func build(ctx context.Context, o corpus.Options, texts []string) (*corpus.Corpus, error) {
	o.Name, o.Public, o.Clusters = "public", true, -1
	b, err := corpus.NewBuilder(o)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if err := b.Add([]byte(t)); err != nil {
			return nil, err
		}
	}
	return b.Build(ctx)
}

// features returns those of the product: the encoder's vector, the first words, and the terms
// of a vocabulary.
func (c *codebook) features(v *learn.Vocabulary) *learn.Features {
	return learn.NewFeatures(c.encoder, c.table, v)
}

// learnKnown learns from words for labels and public texts alone.
func (c *codebook) learnKnown(ctx context.Context) error {
	c.public = learn.CodebookVocabulary(c.table, c.corpus)
	var err error
	if c.words != nil {
		c.known, err = learn.FromWords(ctx, c.features(c.public), c.corpus, learn.Labelling{Words: c.words, Classes: c.labels, Components: c.components})
		if err != nil && !errors.Is(err, learn.ErrFewWords) {
			return err
		}
	}
	c.clear = sync.OnceValues(func() (*learn.Model, error) {
		m, _, err := learn.Fit(context.WithoutCancel(ctx), c.data(c.private), learn.Options{})
		return m, err
	})
	return nil
}

// data returns the features of texts with their own vocabulary.
func (c *codebook) data(texts dataset.Split) learn.Data {
	f := c.features(learn.FitVocabulary(c.table, texts.Len(), func(i int) []byte { return []byte(texts.Texts[i]) }))
	d := f.NewData(c.labels)
	for i, t := range texts.Texts {
		d.Examples = append(d.Examples, learn.Example{Row: d.Add(f.Row([]byte(t))), Class: texts.Labels[i], Weight: 1})
	}
	return d
}

// compare measures a model on the measured texts.
func (c *codebook) compare(m *learn.Model) learn.Result {
	tests, _ := c.tests.get(fmt.Sprintf("%p", m.Vocabulary), func() (learn.Data, error) {
		f := c.features(m.Vocabulary)
		d := f.NewData(c.labels)
		for _, t := range c.measured.Texts {
			d.Add(f.Row([]byte(t)))
		}
		return d, nil
	})
	labels, found := make([]string, c.measured.Len()), make([]string, c.measured.Len())
	for i, y := range c.measured.Labels {
		labels[i], found[i] = c.labels[y], m.Predict(tests.Row(i))
	}
	return learn.Compare(labels, found)
}
