package risk

import (
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

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
		if e, ok := catalog.Default(mechanism.UseWords, privacy.Pure); ok {
			names = []string{e.Name}
		}
	}
	words, texts, coded := false, false, false
	for _, name := range names {
		e := mechanism.Entry{Name: synthesis.Name}
		if name != synthesis.Name {
			if e, err = admitted(name, c.Accept); err != nil {
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

// epsilonsOfMarks returns the epsilons of attacks on marks, which may be 0.
func (c *AttackCmd) epsilonsOfMarks() (all []float64, err error) {
	if len(c.Epsilon) == 0 {
		return nil, cli.WrongUsage("try --epsilon 0", "attack needs --epsilon")
	}
	for _, e := range c.Epsilon {
		some := []float64{0}
		if e != "0" {
			if some, err = parseEpsilons("attack", []string{e}); err != nil {
				return nil, err
			}
		}
		all = append(all, some...)
	}
	return all, nil
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
	case len(c.Param) > 0 && mechanisms != 1:
		return cli.WrongUsage("give one: -m NAME", "--param needs exactly one mechanism")
	}
	for _, among := range c.Among {
		if among < 2 {
			return cli.WrongUsage("", "--among must be 2 or more, got %d", among)
		}
	}
	return nil
}

// The readers of words.
const (
	readerNgram   = "ngram"
	readerAdapted = "adapted"
)

// checkModel checks the flags of the reader's language model: words says whether a
// mechanism is for words, labelled whether labels are attacked too.
func (c *attackSample) checkModel(words, labelled bool) error {
	switch {
	case len(c.Corpus) > 0 && c.LM != "":
		return cli.WrongUsage("", "--corpus cannot be used with --lm")
	case words && len(c.Corpus) == 0 && c.LM == "":
		return cli.WrongUsage("give public text with --corpus, or a model of train language-model with --lm", "an attack on words needs --corpus or --lm, for the reader's language model")
	case !words && (len(c.Corpus) > 0 && !labelled || c.LM != "" || c.Order != 0):
		return cli.WrongUsage("the corpus of whole texts is --codebook", "--corpus, --lm and --order are for attacks on words")
	case !words && c.Reader != "":
		return cli.WrongUsage("", "--reader is for attacks on words")
	case c.Reader != "" && c.Reader != readerNgram && c.Reader != readerAdapted:
		return cli.WrongUsage("", "--reader must be %s or %s, got %q", readerNgram, readerAdapted, c.Reader)
	case c.Reader == readerAdapted && c.LM != "":
		return cli.WrongUsage("give public text with --corpus", "--reader adapted learns from public texts, and --lm has none")
	case c.LM != "" && c.Order != 0:
		return cli.WrongUsage("", "--order is for the model of --corpus")
	case c.Order != 0 && (c.Order < language.MinOrder || c.Order > language.MostTrained):
		return cli.WrongUsage("", "--order must be %d to %d, got %d", language.MinOrder, language.MostTrained, c.Order)
	}
	return nil
}
