package main

import (
	"context"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

type attackCmd struct {
	attackSample
	Mechanism []string          `short:"m" placeholder:"NAME" sep:"none" group:"privacy" help:"Mechanism to attack (repeatable; default: neighbours). For synthesize, the attack is membership."`
	Epsilon   []string          `short:"e" placeholder:"E" sep:"none" group:"privacy" help:"Epsilon of one release, or a range LOW:HIGH:STEP (repeatable)."`
	Param     map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"A parameter of the mechanism, if one is given (repeatable)."`
	Accept    string            `placeholder:"STANDING" group:"privacy" help:"Open mechanisms whose standing is below proved: refuted or stated."`
	JSON      bool              `name:"json" group:"output" help:"Print one JSON document."`
}

const (
	attackedPublic  = "Figures of public texts: no privacy is spent. A reader with a better model recovers more."
	attackedPrivate = "Figures of texts that are not declared public: for the owner of the texts alone, since they reveal something about them. Do not choose epsilon by them."
)

func (c *attackCmd) Run(ctx context.Context, term *terminal) error {
	epsilons, entries, err := c.check()
	if err != nil {
		return err
	}
	run, err := c.begin(ctx, term, slices.ContainsFunc(entries, func(e mechanism.Entry) bool { return e.New != nil }))
	if err != nil {
		return err
	}
	result := attackedTexts{Texts: len(run.texts), Known: run.known, Confidence: attack.Confidence, Seed: c.Seed, Privacy: attackedPublic,
		Embeddings: sotto.EmbeddingsOf(run.table)}
	public := false
	result.Model, public = run.described()
	if result.OperatorOnly = !c.Public || !public; result.OperatorOnly {
		result.Privacy = attackedPrivate
	}
	job := newJob(term, "attacking", len(entries)*len(epsilons))
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (attackRow, error) {
		spec := newSpec(c.Param, job.part())
		spec.Epsilon = epsilon
		return run.attack(ctx, e, spec)
	})
	if err != nil {
		return err
	}
	job.end()
	result.Codebook = run.codebook
	if c.JSON {
		return printJSON(term, result)
	}
	return printAttacked(term, &result)
}

func (c *attackCmd) check() (epsilons []float64, entries []mechanism.Entry, err error) {
	if len(c.Epsilon) == 0 {
		return nil, nil, wrongUsage("try --epsilon 4:8:2", "attack needs --epsilon")
	}
	if epsilons, err = parseEpsilons(c.Epsilon); err != nil {
		return nil, nil, err
	}
	if err := c.checkFormat(); err != nil {
		return nil, nil, err
	}
	names := c.Mechanism
	if len(names) == 0 {
		if e, ok := catalog.Default(mechanism.UseWords, privacy.Pure); ok {
			names = []string{e.Name}
		}
	}
	words, coded := false, false
	for _, name := range names {
		e := mechanism.Entry{Name: synthesis.Name}
		if name != synthesis.Name {
			if e, err = admitted(name, c.Accept); err != nil {
				return nil, nil, err
			}
		}
		if e.New == nil && e.NewRetriever == nil && e.NewPerturber == nil && name != synthesis.Name {
			return nil, nil, wrongUsage("", "%s has no attack", name)
		}
		words = words || e.New != nil
		coded = coded || e.NewRetriever != nil || name == synthesis.Name
		entries = append(entries, e)
	}
	return epsilons, entries, c.checkUse(words, coded, len(names))
}

// checkUse refuses flags that no mechanism uses, and the lack of those that one needs:
// words says whether there is one for words, coded whether there is one over a corpus.
func (c *attackCmd) checkUse(words, coded bool, mechanisms int) error {
	switch {
	case c.Corpus != "" && c.LM != "":
		return wrongUsage("", "give --corpus or --lm, not both")
	case words && c.Corpus == "" && c.LM == "":
		return wrongUsage("give public text with --corpus, or a model of train language-model with --lm", "an attack on words needs the reader's language model")
	case !words && (c.Corpus != "" || c.LM != "" || c.Order != 0):
		return wrongUsage("the corpus of whole texts is --codebook", "--corpus, --lm and --order are for attacks on words")
	case !coded && c.Codebook != "":
		return wrongUsage("", "--codebook is for mechanisms that release texts of a corpus")
	case c.LM != "" && c.Order != 0:
		return wrongUsage("", "--order is for the model of --corpus")
	case len(c.Param) > 0 && mechanisms != 1:
		return wrongUsage("give one: -m NAME", "--param needs exactly one mechanism")
	case c.Among < 2:
		return wrongUsage("", "--among must be 2 or more, got %d", c.Among)
	}
	return nil
}
