package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text"
)

type attackCmd struct {
	Corpus string `path:"file" placeholder:"FILE" group:"input" help:"Public text like that of --texts, from which the reader's language model is trained."`
	LM     string `name:"lm" path:"file" placeholder:"FILE" group:"input" help:"The reader's language model, instead of --corpus."`
	Texts  string `path:"file" required:"" placeholder:"FILE" group:"input" help:"Sample of texts to release and attack."`
	formatFlags
	Public    bool              `group:"privacy" help:"Declare that the sample, and the model of an ARPA file, are public. Otherwise the figures are for the owner of the texts alone."`
	Mechanism []string          `short:"m" placeholder:"NAME" sep:"none" group:"privacy" help:"Mechanism to attack (repeatable; default: neighbours). For synthesize, the attack is membership."`
	Epsilon   []string          `short:"e" placeholder:"E" sep:"none" group:"privacy" help:"Epsilon of one release, or a range LOW:HIGH:STEP (repeatable)."`
	Param     map[string]string `path:"values" placeholder:"K=V" group:"privacy" help:"A parameter of the mechanism, if one is given (repeatable)."`
	tableFlags
	Codebook string `path:"corpus" placeholder:"NAME|FILE" group:"input" help:"Corpus of mechanisms that release whole texts (default: english)."`
	Among    int    `default:"200" placeholder:"N" group:"advanced" help:"Texts from which the reader names the released one (default: 200)."`
	Order    int    `placeholder:"N" group:"advanced" help:"Words of the longest n-gram of the model of --corpus: 2 to 4 (default: 3)."`
	Accept   string `placeholder:"STANDING" group:"privacy" help:"Open mechanisms whose standing is below proved: refuted or stated."`
	Seed     uint64 `default:"1" placeholder:"N" group:"advanced" help:"Seed of the releases, which protect nothing here (default: 1). Membership is drawn without it."`
	JSON     bool   `name:"json" group:"output" help:"Print one JSON document."`
}

const (
	attackedPublic  = "Figures of public texts: no privacy is spent. A reader with a better model recovers more."
	attackedPrivate = "Figures of texts that are not declared public: for the owner of the texts alone, since they reveal something about them. Do not choose epsilon by them."
)

// attackRun holds what the attacks of one command share.
type attackRun struct {
	cmd   *attackCmd
	term  *terminal
	table *embedding.Table
	raw   [][]byte
	texts []attack.Text
	model *language.Model // nil where no mechanism is for words
	job   *job
	// codebook is nil where no mechanism has used it.
	codebook *attackCodebook
}

func (c *attackCmd) Run(ctx context.Context, term *terminal) error {
	epsilons, entries, err := c.check()
	if err != nil {
		return err
	}
	run := &attackRun{cmd: c, term: term}
	if run.table, err = c.table(ctx); err != nil {
		return err
	}
	rows, err := c.labelled(ctx, term, c.Texts, "")
	if err != nil {
		return err
	}
	tokenizer := text.NewTokenizer(run.table)
	for _, r := range rows {
		run.raw = append(run.raw, r.text)
		run.texts = append(run.texts, attack.Read(tokenizer, r.text))
	}
	if len(run.texts) < 2 {
		return wrongUsage("", "--texts needs two texts or more, got %d", len(run.texts))
	}
	result := attackedTexts{Texts: len(run.texts), Confidence: attack.Confidence, Seed: c.Seed, OperatorOnly: !c.Public, Privacy: attackedPublic,
		Embeddings: sotto.Embeddings{Name: run.table.Name(), Words: run.table.Len(), Dimensions: run.table.Dim(), SHA256: run.table.Digest()}}
	if slices.ContainsFunc(entries, func(e mechanism.Entry) bool { return e.New != nil }) {
		if result.Known, err = run.open(ctx); err != nil {
			return err
		}
		card := run.model.Card()
		result.Model = &attackModel{card.Order, card.Corpus.Tokens, run.model.Digest()}
		result.OperatorOnly = result.OperatorOnly || !card.Public
	}
	if result.OperatorOnly {
		result.Privacy = attackedPrivate
	}
	run.job = newJob(term, "attacking", len(entries)*len(epsilons))
	result.Rows, result.LeftOut, err = sweep(entries, epsilons, func(e mechanism.Entry, epsilon float64) (attackRow, error) {
		return run.attack(ctx, e, epsilon)
	})
	if err != nil {
		return err
	}
	run.job.end()
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

// open reads or trains the model, and counts the texts that are in its corpus.
func (r *attackRun) open(ctx context.Context) (known int, err error) {
	c := r.cmd
	if c.LM != "" {
		r.model, err = openLanguageModel(ctx, c.LM, r.table, c.Public)
		return 0, err
	}
	own := map[string]int{}
	for _, t := range r.texts {
		own[wordsKey(t.Words)]++
	}
	corpus := c.tokens(ctx, r.term, []string{c.Corpus}, text.NewTokenizer(r.table), nil)
	both := func(yield func([]embedding.ID, error) bool) {
		for ids, err := range corpus {
			if err == nil {
				key := wordsKey(ids)
				known += own[key]
				delete(own, key)
			}
			if !yield(ids, err) {
				return
			}
		}
	}
	r.model, err = language.Train(ctx, r.table, both, language.Options{Order: c.Order, Public: c.Public, Progress: r.term.progress()})
	return known, err
}

// wordsKey is equal for equal words alone.
func wordsKey(words []embedding.ID) string {
	key := make([]byte, 0, 4*len(words))
	for _, w := range words {
		key = strconv.AppendUint(append(key, ' '), uint64(w), 36)
	}
	return string(key)
}

// attack attacks one setting.
func (r *attackRun) attack(ctx context.Context, e mechanism.Entry, epsilon float64) (attackRow, error) {
	spec := newSpec(r.cmd.Param, nil)
	spec.Epsilon, spec.Progress = epsilon, r.job.part()
	row := attackRow{Mechanism: e.Name, Epsilon: epsilon, Intervals: map[string]*attack.Share{}}
	options := attack.Options{Model: r.model, Among: r.cmd.Among, Seed: r.cmd.Seed, Progress: spec.Progress}
	var err error
	switch {
	case e.Name == synthesis.Name:
		err = r.membership(ctx, &row, spec)
	case e.New != nil:
		err = r.words(ctx, &row, e, spec, options)
	case e.NewRetriever != nil:
		err = r.wholeTexts(ctx, &row, e, spec, options)
	default:
		err = r.vectors(ctx, &row, e, spec, options)
	}
	return row, err
}

// words attacks a mechanism for words.
func (r *attackRun) words(ctx context.Context, row *attackRow, e mechanism.Entry, spec mechanism.Spec, o attack.Options) error {
	m, err := e.New(ctx, r.table, spec)
	if err != nil {
		return err
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return wrongUsage("", "%s adds noise to vectors: the chances of its outputs are not known exactly", e.Name)
	}
	w, err := attack.OfWords(ctx, channel, r.texts, o)
	if err != nil {
		return err
	}
	row.claim(m.Claim())
	row.Among, row.Approximate = w.Among, !w.Exact
	row.set("recovered", w.Alone, &row.Recovered)
	row.set("recovered_in_context", w.InContext, &row.RecoveredInContext)
	row.set("recovered_rare", w.Rare, &row.RecoveredRare)
	row.set("recovered_capitalised", w.Capitalised, &row.RecoveredCapitalised)
	row.set("linked_pair", w.Pair, &row.LinkedPair)
	row.set("recovered_rare_alone", w.RareAlone, nil)
	row.set("blind", w.Blind, nil)
	row.set("blind_rare", w.RareBlind, nil)
	row.link(w.Linked)
	return nil
}
