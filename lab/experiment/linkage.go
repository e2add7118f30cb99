package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/pairs"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Linkage measures how often an attacker who knows the mechanism and some candidates,
// each as likely, names the private text that a release came from. By mechanism:
//
//   - one for words: linked is the share of private texts that are named from the releases
//     of their words, pair the exact chance of pairs of two adjacent words, one per text;
//   - one for whole texts: linked is the exact chance;
//   - one for vectors with a codebook: linked is the exact chance;
//   - synthesize: linked is the exact chance to guess right whether a record took part, of an
//     attacker who knows all other records. The candidates are two: with and without it.
//
// Names that end in _low and _high are exact 95 % intervals of shares. Those that end in
// limit are the largest chance that any mechanism of the same loss allows; texts that are
// released word by word have none.
//
// Parameters: those of a codebook, words (the table of mechanisms for words), texts (the
// number of private texts that are attacked), among (candidates), mechanism, epsilon.
func Linkage(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	epsilon, _ := p.Number("epsilon")
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon}.Spec()
	if err != nil {
		return result.Outcome{}, err
	}
	o := attack.Options{Among: number(p, "among"), Seed: seed}
	entry, known := catalog.Find(name)
	switch {
	case name == synthesis.Name:
		return c.membership(ctx, p, seed)
	case !known:
		return result.Outcome{}, fmt.Errorf("experiment: %q is not in the catalogue", name)
	case entry.NewRetriever != nil:
		return c.linkedTexts(ctx, p, seed)
	case entry.NewPerturber != nil:
		return c.linkedVectors(ctx, entry, spec, number(p, "texts"), o)
	}
	return b.linkedWords(ctx, c, p, o)
}

// limitAmong returns the largest chance to name one of n equally likely candidates from a
// release of a loss epsilon.
func limitAmong(n int, epsilon float64) float64 { return 1 / (1 + float64(n-1)*math.Exp(-epsilon)) }

// addShare adds a share with its interval.
func addShare(values map[string]float64, name string, s *attack.Share) {
	if s != nil {
		values[name], values[name+"_low"], values[name+"_high"] = s.Share, s.Low, s.High
	}
}

// linkedTexts links releases of whole texts.
func (c *codebook) linkedTexts(ctx context.Context, p result.Params, seed uint64) (result.Outcome, error) {
	r, err := c.release(ctx, p, seed, 1) // for the channel alone
	if err != nil {
		return leftOut(err)
	}
	chance, limit, err := c.linked(r, number(p, "texts"), number(p, "among"))
	return result.Outcome{Values: map[string]float64{"linked": chance, "limit": limit}, Evidence: r.evidence}, err
}

// linkedVectors links releases of a text's mean vector.
func (c *codebook) linkedVectors(ctx context.Context, entry mechanism.Entry, spec mechanism.Spec, texts int, o attack.Options) (result.Outcome, error) {
	perturber, err := entry.NewPerturber(ctx, c.table, spec)
	if err != nil {
		return leftOut(err)
	}
	coded, ok := perturber.(mechanism.Coded)
	if !ok {
		return result.Outcome{}, fmt.Errorf("experiment: %s has no codebook of directions", entry.Name)
	}
	var weights []float64
	if w, ok := perturber.(mechanism.Weighted); ok {
		weights = w.WordWeights()
	}
	secret := dataset.Encode(c.table, c.private)
	var vectors []int8
	for i := range min(texts, secret.Len()) {
		words := secret.Text(i)
		if len(words) == 0 {
			words = append(words, c.table.Unknown())
		}
		vectors = coded.Grid(vectors, attack.Means(c.table, [][]embedding.ID{words}, weights))
	}
	retriever, directions := coded.Channel()
	found, err := attack.OfTexts(ctx, retriever, directions, vectors, o)
	if err != nil {
		return result.Outcome{}, err
	}
	claim, standing := perturber.Claim(), entry.Standing
	values := map[string]float64{"limit": limitAmong(found.Among, claim.Epsilon)}
	addShare(values, "linked", found.Linked)
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &claim, Standing: &standing}}, nil
}

// linkedWords links texts whose words are released one by one.
func (b *Bench) linkedWords(ctx context.Context, c *codebook, p result.Params, o attack.Options) (result.Outcome, error) {
	table, err := b.Table(p.Get("words"))
	if err != nil {
		return result.Outcome{}, err
	}
	epsilon, _ := p.Number("epsilon")
	opened, err := b.Opener.Open(table, private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon})
	if err != nil {
		return leftOut(err)
	}
	channel, ok := opened.Mechanism.(mechanism.Channel)
	if !ok {
		return result.Outcome{}, fmt.Errorf("experiment: %s is no channel", opened.Setting.Name)
	}
	if o.Model, err = b.modelOfPublic(ctx, c, p); err != nil {
		return result.Outcome{}, err
	}
	tokenizer := tokenize.NewTokenizer(table)
	var texts []attack.Text
	for _, t := range c.private.Texts[:min(number(p, "texts"), c.private.Len())] {
		texts = append(texts, attack.Read(tokenizer, []byte(t)))
	}
	linked, err := attack.LinkedWords(ctx, channel, texts, o)
	if err != nil {
		return result.Outcome{}, err
	}
	pair, candidates, err := pairs.Linked(channel, texts, o.Among, rand.New(noise.Seeded(o.Seed, uint64(len(texts)))))
	values := map[string]float64{"pair_limit": limitAmong(candidates, 2*epsilon)}
	addShare(values, "linked", linked)
	addShare(values, "pair", attack.Certain(pair))
	return result.Outcome{Values: values, Evidence: opened.Evidence}, err
}

// modelOfPublic returns the trigram model of the public texts of a codebook over the
// table of words. Each is trained once.
func (b *Bench) modelOfPublic(ctx context.Context, c *codebook, p result.Params) (*language.Model, error) {
	table, err := b.Table(p.Get("words"))
	if err != nil {
		return nil, err
	}
	m, err := b.languages.get("of a codebook "+c.corpus.Digest()+" "+table.Digest(), func() (publicModel, error) {
		texts := make([]string, c.corpus.Len())
		for i := range texts {
			texts[i] = c.corpus.Text(i)
		}
		m, err := metric.Trigram(context.WithoutCancel(ctx), table, dataset.Encode(table, dataset.Split{Texts: texts}).Texts())
		return publicModel{m, len(texts)}, err
	})
	return m.model, err
}

// membership guesses of releases of a whole corpus whether a record took part. The
// records are the worst ones for membership: nothing depends on the private texts.
func (c *codebook) membership(ctx context.Context, p result.Params, seed uint64) (result.Outcome, error) {
	plan, err := c.synthesis(ctx, p, seed, nil)
	if err != nil {
		return leftOut(err)
	}
	chance, err := plan.Guess()
	if err != nil {
		return result.Outcome{}, err
	}
	claim, standing := plan.Claim(), privacy.Proved // as statements of a release have it
	values := map[string]float64{"limit": limitAmong(2, claim.Epsilon)}
	addShare(values, "linked", attack.Certain(chance))
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &claim, Standing: &standing}}, nil
}

// linked returns the chance that an attacker who knows the mechanism and some candidates,
// each as likely, names the one that a released text came from, and the limit of that
// chance at that loss. For one group of candidates the chance is the mean over them of the
// sum over outputs of the largest chance that one of them gives. It is counted, not drawn:
// outputs in the set of some candidate have the larger chance. It is the mean over the
// whole groups among the first texts of the private ones, and over one group if there is
// none.
func (c *codebook) linked(r *released, texts, among int) (chance, limit float64, err error) {
	k, m, size := r.channel.Neighbours, c.corpus.Len(), min(among, c.private.Len())
	low := 1 / (float64(k)*math.Exp(r.channel.Epsilon) + float64(m-k))
	groups := max(1, min(c.private.Len(), texts)/size)
	for g := range groups {
		var vectors []int8
		for _, t := range c.private.Texts[g*size : (g+1)*size] {
			vectors = c.encoder.Encode(vectors, []byte(t))
		}
		sets, err := c.corpus.Nearest(nil, vectors, k)
		if err != nil {
			return 0, 0, err
		}
		covered := map[uint32]bool{}
		for _, z := range sets {
			covered[z] = true
		}
		n := float64(len(covered))
		chance += low * (n*math.Exp(r.channel.Epsilon) + float64(m) - n) / float64(size) / float64(groups)
	}
	return chance, limitAmong(size, r.channel.Epsilon), nil
}
