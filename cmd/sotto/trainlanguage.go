package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

type trainLanguageModelCmd struct {
	corpusFlags
	Public bool   `group:"privacy" help:"Declare that the corpus is public; required: a language model repeats its texts."`
	Output string `path:"write" binary:"" short:"o" placeholder:"FILE" group:"output" help:"Model file to write; an ARPA file if the name ends with .arpa."`
	tableFlags
	Order   int      `placeholder:"N" group:"advanced" help:"Words of the longest n-gram: 2 to 4 (default: 3)."`
	With    []string `path:"read" placeholder:"FILE" sep:"none" group:"input" help:"Another language model to interpolate with; needs --held-out (repeatable)."`
	HeldOut []string `path:"read" placeholder:"FILE" sep:"none" group:"input" help:"Public text, not of any model's corpus, that the weights of --with are fitted on (repeatable)."`
	JSON    bool     `name:"json" group:"output" help:"Print one JSON document."`
}

func (c *trainLanguageModelCmd) check() error {
	switch {
	case c.Output == "":
		return wrongUsage("", "train needs -o FILE, the model file to write")
	case !c.Public:
		return wrongUsage("declare the corpus public with --public, if it is", "train language-model needs --public: a language model repeats its texts, and is used on public ones only")
	case c.Order != 0 && (c.Order < language.MinOrder || c.Order > language.MostTrained):
		return wrongUsage("", "--order must be %d to %d, got %d", language.MinOrder, language.MostTrained, c.Order)
	case (len(c.With) == 0) != (len(c.HeldOut) == 0):
		return wrongUsage("", "--with and --held-out must be given together")
	}
	return c.checkFormat()
}

func (c *trainLanguageModelCmd) Run(ctx context.Context, term *terminal) error {
	if err := c.check(); err != nil {
		return err
	}
	table, err := c.table(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	m, err := c.train(ctx, term, table)
	if err != nil {
		return err
	}
	if err := writeLanguageModel(ctx, term, c.Output, m); err != nil {
		return err
	}
	card := m.Card()
	if c.JSON {
		return printJSON(term, struct {
			language.Card
			SHA256  string  `json:"sha256"`
			Seconds float64 `json:"seconds"`
		}{card, m.Digest(), time.Since(start).Seconds()})
	}
	fmt.Fprintf(term.out, "order %d, %s over %s of %s (declared public)\n", card.Order,
		plural(sum(card.NGrams), "n-gram"), plural(card.Corpus.Tokens, "token"), plural(card.Corpus.Texts, "text"))
	for i, part := range card.Parts {
		name := "this corpus"
		if i > 0 {
			name = c.With[i-1]
		}
		fmt.Fprintf(term.out, "weight %.4f: %s\n", part.Weight, name)
	}
	_, err = fmt.Fprintf(term.out, "sha256 %s\n", m.Digest())
	return err
}

func sum(list []int) (all int) {
	for _, n := range list {
		all += n
	}
	return all
}

// train trains the model, and interpolates it with others.
func (c *trainLanguageModelCmd) train(ctx context.Context, term *terminal, table *embedding.Table) (*language.Model, error) {
	models := make([]*language.Model, 1, 1+len(c.With))
	for _, name := range c.With {
		m, err := openLanguageModel(ctx, name, table, c.Public)
		if err == nil && !m.Card().Public {
			err = fmt.Errorf("%s: the model is not declared public", name)
		}
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	o := language.Options{Order: c.Order, Public: c.Public, Progress: term.progress()}
	var err error
	if models[0], err = language.Train(ctx, table, c.tokens(ctx, term, c.files(), tokenize.NewTokenizer(table), nil), o); err != nil || len(c.With) == 0 {
		return models[0], err
	}
	weights, err := language.FitWeights(models, c.tokens(ctx, term, c.HeldOut, tokenize.NewTokenizer(table), nil))
	if err != nil {
		return nil, err
	}
	return language.Interpolate(ctx, models, weights)
}

// arpaExtension is the extension of ARPA files, before that of a compression.
const arpaExtension = ".arpa"

// writeLanguageModel writes a model in the form that the file's name has.
func writeLanguageModel(ctx context.Context, term *terminal, name string, m *language.Model) error {
	if name == "-" {
		return writeWhole(ctx, term, name, m.Marshal())
	}
	out, err := createOutput(ctx, term, name)
	if err != nil {
		return err
	}
	defer out.discard()
	if strings.HasSuffix(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"), arpaExtension) {
		err = m.WriteARPA(out)
	} else {
		_, err = out.Write(m.Marshal())
	}
	if err == nil {
		err = out.finish()
	}
	if err == nil {
		err = out.commit()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", outputName(name), plainError(err))
	}
	return nil
}

// errEnough ends the reading of texts whose reader wants no more.
var errEnough = errors.New("enough")

// tokens yields the words of each text of some files, one text after the other, and adds
// the unknown tokens to unknown, unless it is nil. A file of format text is one text.
func (c *formatFlags) tokens(ctx context.Context, term *terminal, files []string, tokenizer *tokenize.Tokenizer, unknown *int) iter.Seq2[[]embedding.ID, error] {
	return func(yield func([]embedding.ID, error) bool) {
		var ids []embedding.ID
		read := func(text []byte) {
			var n int
			if ids, n = tokenizer.Tokenize(ids, text); unknown != nil {
				*unknown += n
			}
		}
		give := func() error {
			if !yield(ids, nil) {
				return errEnough
			}
			ids = ids[:0]
			return nil
		}
		for _, name := range files {
			if err := c.eachText(ctx, term, name, read, give); errors.Is(err, errEnough) {
				return
			} else if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// eachText calls read with the texts of a file or a corpus, in parts if they are whole
// files, and end after each text.
func (c *formatFlags) eachText(ctx context.Context, term *terminal, name string, read func(text []byte), end func() error) error {
	if strings.HasSuffix(name, corpus.Extension) {
		return eachOfCorpus(ctx, name, read, end)
	}
	whole := c.formatOf(name).Whole
	err := c.eachBatch(ctx, term, name, func(b text.Batch) error {
		texts, err := b.Texts()
		for i := 0; err == nil && i < len(texts); i++ {
			if read(texts[i]); !whole {
				err = end()
			}
		}
		return err
	})
	if err == nil && whole {
		err = end()
	}
	return err
}

func eachOfCorpus(ctx context.Context, name string, read func(text []byte), end func() error) error {
	c, err := within(ctx, func() (*corpus.Corpus, error) { return corpus.Open(name) })
	for i := 0; err == nil && i < c.Len(); i++ {
		read([]byte(c.Text(i)))
		if err = ctx.Err(); err == nil {
			err = end()
		}
	}
	return err
}
