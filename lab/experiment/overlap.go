package experiment

import (
	"context"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

// Overlap compares texts of a set's test part with their rewritten copies: the
// unchanged rate N_w, ROUGE-1, BLEU, the token-matching similarity over the
// table's own vectors (means over texts, N_w over tokens). limit is the largest
// N_w of any mechanism with word-level epsilon-privacy for words as frequent as
// in these texts, limit_published that for the claim a paper makes. Parameters:
// set, table, mechanism, epsilon, texts.
func Overlap(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	c, err := b.Corpus(p.Get("set"), "test", number(p, "texts"), s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	copied, err := s.rewrite(c, seed, 0)
	if err != nil {
		return result.Outcome{}, err
	}
	unit, err := b.unit(s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	values := map[string]float64{"unchanged": metric.Unchanged(c.Words, copied.Words)}
	n := 0.0
	for i := range c.Len() {
		before, after := c.Text(i), copied.Text(i)
		if len(before) == 0 {
			continue
		}
		n++
		values["rouge1"] += metric.Rouge1(before, after)
		values["bleu"] += metric.BLEU(before, after)
		values["token_match"] += metric.TokenMatch(unit, before, after)
	}
	for _, name := range []string{"rouge1", "bleu", "token_match"} {
		values[name] /= max(1, n)
	}
	epsilon, ok := p.Number("epsilon")
	if !ok || s.opened == nil {
		return s.outcome(values), nil
	}
	shares := c.Shares(s.table.Len())
	if values["limit"], err = audit.UnchangedLimitFrequencies(epsilon, 0, shares); err != nil {
		return result.Outcome{}, err
	}
	if c := s.opened.Evidence.Published; c != nil && c.Unit == privacy.Token && c.Notion == privacy.Approximate {
		if values["limit_published"], err = audit.UnchangedLimitFrequencies(c.Epsilon, c.Delta, shares); err != nil {
			return result.Outcome{}, err
		}
	}
	return s.outcome(values), nil
}

func (b *Bench) unit(table *embedding.Table) (*metric.Unit, error) {
	return b.units.get(table.Digest(), func() (*metric.Unit, error) { return metric.NewUnit(table), nil })
}

// Cost times a mechanism on one thread: seconds to open it with a warm cache, and tokens
// rewritten per second, twice over the same texts (the second pass finds rows that the
// first made). The figures depend on the machine. Parameters as for
// Overlap.
func Cost(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	c, err := b.Corpus(p.Get("set"), "test", number(p, "texts"), s.table)
	if err != nil {
		return result.Outcome{}, err
	}
	fresh := &private.Opener{Cache: b.Opener.Cache, Channels: b.Opener.Channels}
	start := time.Now()
	opened, err := fresh.Open(s.table, s.opened.Setting)
	if err != nil {
		return result.Outcome{}, err
	}
	values := map[string]float64{"open_seconds": time.Since(start).Seconds(), "tokens": float64(len(c.Words))}
	for pass, name := range []string{"tokens_per_second_cold", "tokens_per_second"} {
		start = time.Now()
		if _, err := opened.Rewrite(c, seed, uint64(pass)); err != nil {
			return result.Outcome{}, err
		}
		values[name] = float64(len(c.Words)) / time.Since(start).Seconds()
	}
	return s.outcome(values), nil
}

// Examples rewrites one text of a set's test part, number text, with the words
// as the library sets them. Parameters: set, table, mechanism, epsilon, text.
func Examples(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	original := set.Test.Texts[number(p, "text")%set.Test.Len()]
	out := s.outcome(nil)
	if s.opened == nil {
		out.Texts = map[string]string{"text": original}
		return out, nil
	}
	cfg := private.Config(s.table, s.opened.Entry.Name, s.opened.Spec)
	cfg.InsecureSeed = &seed
	r, err := sotto.Open(ctx, cfg)
	if err != nil {
		return result.Outcome{}, err
	}
	release, err := r.Rewrite(ctx, original)
	out.Texts = map[string]string{"text": release.Text}
	return out, err
}

// Frontier compares the usefulness of a mechanism with the success of attackers. The
// accuracy is that of Learn, whose classifier tolerates rewritten training text best. The
// first attacker sees one output, and every word is as likely; the figure is the Bayes
// success. The second sees whole texts and knows a bigram prior of the public text of the
// prior set (forward-backward). Further parameters: prior, prior_texts, attacked.
func Frontier(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	s, err := b.setup(p)
	if err != nil {
		return leftOut(err)
	}
	values, err := b.learn(s, p, seed)
	if err != nil || s.opened == nil {
		return s.outcome(values), err
	}
	guess, _, ok, err := b.bestGuess(s.opened)
	if err != nil {
		return result.Outcome{}, err
	}
	if ok {
		values["bayes_success"] = guess
	}
	found, err := b.inContext(ctx, s.opened, p, seed)
	if err != nil {
		return result.Outcome{}, err
	}
	if found != nil {
		values["context_recovered"], values["context_unchanged"], values["prior_alone"] = found.Recovered, found.Unchanged, found.PriorAlone
	}
	return s.outcome(values), nil
}
