package auditing

import (
	"context"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// attack computes the attack figures of an enumerated channel.
func (c *AuditCmd) attack(ctx context.Context, term *cli.Terminal, f *audit.Finding, table *embedding.Table) (*audit.Attack, error) {
	channel := f.Channel()
	if channel == nil {
		return nil, cli.WrongUsage("choose a channel, such as neighbours, tem or exponential",
			"%s adds noise to a vector: its attack figures cannot be computed exactly", f.Mechanism)
	}
	if (c.Corpus == "") != (c.Attacked == "") {
		return nil, cli.WrongUsage("", "the context attack needs both --corpus and --attacked")
	}
	a := &audit.Attack{Prior: c.Prior}
	var prior []float64
	var err error
	switch c.Prior {
	case "", "uniform":
		a.Prior, prior = "uniform", audit.UniformPrior(table.Len())
	case "rank":
		prior = rankPrior(table.Len())
	default:
		a.Prior = "counts"
		if prior, err = readShares(ctx, c.Prior); err != nil {
			return nil, err
		}
		if len(prior) != table.Len() {
			return nil, cli.WrongUsage("", "the prior has %d words, the table %d", len(prior), table.Len())
		}
	}
	if a.BayesSuccess, a.PriorSuccess, err = audit.BayesSuccess(ctx, channel, prior, nil); err != nil || c.Corpus == "" {
		return a, err
	}
	corpus, err := c.readTexts(ctx, term, c.Corpus, table)
	if err != nil {
		return nil, err
	}
	texts, err := c.readTexts(ctx, term, c.Attacked, table)
	if err != nil {
		return nil, err
	}
	bigram, err := audit.NewBigram(table.Len(), c.Smoothing)
	if err != nil {
		return nil, err
	}
	for _, ids := range corpus {
		bigram.Add(ids)
	}
	a.Context, err = audit.AttackInContext(ctx, channel, bigram, texts, nil)
	return a, err
}

// readTexts reads texts, one per line, as words of the table.
func (c *AuditCmd) readTexts(ctx context.Context, term *cli.Terminal, path string, table *embedding.Table) ([][]embedding.ID, error) {
	in := cli.FormatFlags{Format: text.Lines.Name, Invalid: c.Invalid}
	lines, err := in.Read(ctx, term, path, nil)
	if err != nil {
		return nil, err
	}
	tokenizer := tokenize.NewTokenizer(table)
	var texts [][]embedding.ID
	for _, line := range lines {
		if ids, _ := tokenizer.Tokenize(nil, line); len(ids) > 0 {
			texts = append(texts, ids)
		}
	}
	return texts, nil
}

// rankPrior gives the word of rank i (from 1) a probability proportional to 1/i.
func rankPrior(n int) []float64 {
	p, sum := make([]float64, n), 0.0
	for i := range p {
		p[i] = 1 / float64(i+1)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
