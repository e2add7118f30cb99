package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/synthesis"
)

func (c *AttackCmd) Run(ctx context.Context, term *cli.Terminal) error {
	switch {
	case len(c.Marks) > 0 && (c.Texts != "" || len(c.Corpus) > 0 || c.LM != "" || len(c.Mechanism) > 0):
		return cli.WrongUsage("", "--marks cannot be used with --texts, --corpus, --lm or --mechanism: marks are attacked without a text")
	case len(c.Marks) > 0:
		return c.marks(ctx, term)
	case c.Frequencies != "":
		return cli.WrongUsage("", "--frequencies needs --marks")
	case c.Texts == "":
		return cli.WrongUsage("", "attack needs --texts FILE, the sample to release and attack")
	}
	epsilons, entries, err := c.check()
	if err != nil {
		return err
	}
	if len(c.Corpus) > 0 {
		c.Reader, c.Order = cmp.Or(c.Reader, readerAdapted), cmp.Or(c.Order, language.MostTrained)
	}
	run, err := c.begin(ctx, term, slices.ContainsFunc(entries, func(e mechanism.Entry) bool { return e.New != nil }), c.Label)
	if err != nil {
		return err
	}
	result := run.document()
	if run.labels != nil {
		result.Label = &attackedLabel{c.Label, run.labels.Classes, len(run.labels.Public)}
	}
	job := cli.NewJob(term, "attacking", len(entries)*len(epsilons))
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (attack.Row, error) {
		spec := c.spec(job.Part())
		spec.Epsilon = epsilon
		return run.attack(ctx, e, spec)
	})
	if err != nil {
		return err
	}
	job.End()
	run.reveal(&result)
	if c.Page != "" {
		page, err := result.page()
		if err != nil {
			return err
		}
		if err := cli.WriteWhole(ctx, term, c.Page, page); err != nil {
			return err
		}
	}
	if c.JSON {
		return cli.PrintJSON(term, result)
	}
	return printAttacked(term, &result)
}

// check returns the settings to attack, and refuses flags that cannot be combined.
func (c *AttackCmd) check() (epsilons []float64, entries []mechanism.Entry, err error) {
	if len(c.Epsilon) == 0 {
		return nil, nil, cli.WrongUsage("try --epsilon 4:8:2", "attack needs --epsilon")
	}
	if epsilons, err = parseEpsilons("attack", c.Epsilon); err != nil {
		return nil, nil, err
	}
	if err := c.CheckFormat(); err != nil {
		return nil, nil, err
	}
	names := c.Mechanism
	if len(names) == 0 {
		name, err := c.named("", mechanism.UseWords)
		if err != nil {
			return nil, nil, err
		}
		names = []string{name}
	}
	words, texts, coded := false, false, false
	for _, name := range names {
		e := mechanism.Entry{Name: synthesis.Name}
		if name != synthesis.Name {
			if e, err = c.admitted(name); err != nil {
				return nil, nil, err
			}
		}
		if e.New == nil && e.NewRetriever == nil && e.NewPerturber == nil && name != synthesis.Name {
			return nil, nil, cli.WrongUsage("", "attack is for mechanisms that release words, texts or vectors of texts: %s releases none of them", name)
		}
		words = words || e.New != nil
		texts = texts || e.NewRetriever != nil || e.New == nil && e.NewPerturber != nil
		coded = coded || e.NewRetriever != nil || name == synthesis.Name
		entries = append(entries, e)
	}
	return epsilons, entries, c.checkUse(words, texts, coded, len(names))
}

// checkUse refuses flags that no mechanism uses, and the lack of those that one needs:
// words, texts and coded say whether there is a mechanism for words, for whole texts or
// their vectors, and over a corpus.
func (c *AttackCmd) checkUse(words, texts, coded bool, mechanisms int) error {
	if err := c.checkModel(words, c.Label != ""); err != nil {
		return err
	}
	switch {
	case c.Label != "" && len(c.Corpus) == 0:
		return cli.WrongUsage("", "--label needs --corpus, the labelled public texts that the reader's classifier is trained on")
	case c.Label != "" && !words && !texts:
		return cli.WrongUsage("", "--label is for attacks on words, whole texts and vectors")
	case len(c.CorpusField) > 0 && len(c.Corpus) == 0:
		return cli.WrongUsage("", "--corpus-field is for --corpus")
	case !coded && c.Codebook != "":
		return cli.WrongUsage("", "--codebook is for mechanisms that release texts of a corpus")
	case !words && c.Calibrate != "":
		return cli.WrongUsage("", calibrateWords)
	}
	for _, among := range c.Among {
		if among < 2 {
			return cli.WrongUsage("", "--among must be 2 or more, got %d", among)
		}
	}
	return c.ofOne(mechanisms, "-m NAME")
}
