package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/learn"
	"github.com/sotto-dp/sotto/privacy/shuffle"
)

// WholeTexts releases the private texts of a set as whole texts, learns from the
// release, and measures the classifiers on texts as they are. By figure:
//
//   - accuracy, macro_f1: of the learner that knows the channel; plain_: of one that
//     takes the released texts as they are; clear: learnt from the private texts;
//   - topic: the share of released texts whose class under the classifier learnt from
//     the private texts is the private text's label;
//   - linked: the chance that the likeliest of 200 texts is the one that was released,
//     exact; linked_limit is the most that any mechanism of that loss allows;
//   - rouge1: of the released text against the private one, mean over texts;
//   - perplexity: of released texts under a trigram model of the measured texts, the ends of
//     texts counted, the first 1,000; clear_perplexity: of the private texts;
//   - set_size k, texts M, inside p, informative l: the channel; ridge, plain_ridge: the
//     penalties that cross-validation on the release chose.
//
// Parameters: those of a codebook, mechanism ("none": the text as it is), epsilon.
func WholeTexts(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	learnt, err := c.clear()
	if err != nil {
		return result.Outcome{}, err
	}
	clear := c.compare(learnt)
	if p.Get("mechanism") == "none" {
		return result.Outcome{Values: map[string]float64{"accuracy": clear.Accuracy, "macro_f1": clear.MacroF1, "ridge": learnt.Ridge, "texts": float64(c.corpus.Len())}}, nil
	}
	r, err := c.release(ctx, p, seed, 0)
	if err != nil {
		return leftOut(err)
	}
	values := map[string]float64{
		"clear": clear.Accuracy, "set_size": float64(r.channel.Neighbours), "texts": float64(r.channel.Texts), "inside": r.inside, "informative": r.channel.Informative(),
		"topic": c.topicKept(r, learnt),
	}
	if err := c.reading(r, values); err != nil {
		return result.Outcome{}, err
	}
	values["linked"], values["linked_limit"], err = c.linked(r, linkedSample, linkedAmong)
	if err != nil {
		return result.Outcome{}, err
	}
	for _, l := range []struct {
		name    string
		channel learn.Channel
	}{{"", r.channel}, {"plain_", learn.Channel{}}} {
		release := learn.Releases{Codebook: c.corpus, Channel: l.channel, Classes: c.labels, Texts: r.texts, Class: c.private.Labels}
		d, err := release.Data(ctx, c.features(c.public), nil)
		if err != nil {
			return result.Outcome{}, err
		}
		m, _, err := learn.Fit(ctx, d, learn.Options{})
		if err != nil {
			return result.Outcome{}, err
		}
		found := c.compare(m)
		values[l.name+"accuracy"], values[l.name+"macro_f1"], values[l.name+"ridge"] = found.Accuracy, found.MacroF1, m.Ridge
	}
	return result.Outcome{Values: values, Evidence: r.evidence}, nil
}

// The texts that are linked, and the candidates of each.
const (
	linkedSample = 2000
	linkedAmong  = 200
)

// topicKept is the share of released texts that a classifier of clear text gives the
// private text's label.
func (c *codebook) topicKept(r *released, clear *learn.Model) float64 {
	f, kept := c.features(clear.Vocabulary), 0
	for i, z := range r.texts {
		if clear.Predict(f.TextRow(c.corpus, z)) == c.labels[c.private.Labels[i]] {
			kept++
		}
	}
	return float64(kept) / float64(len(r.texts))
}

// judged is the number of texts whose perplexity is measured.
const judged = 1000

// reading compares the released texts with the private ones as a reader does.
func (c *codebook) reading(r *released, values map[string]float64) error {
	judge, err := c.judge()
	if err != nil {
		return err
	}
	out := dataset.Split{Labels: c.private.Labels}
	for _, z := range r.texts {
		out.Texts = append(out.Texts, c.corpus.Text(z))
	}
	before, after := dataset.Encode(c.table, c.private), dataset.Encode(c.table, out)
	values["rouge1"] = rouge(before, after)
	n := min(judged, before.Len())
	values["perplexity"] = metric.Perplexity(judge, after.Part(0, n).Texts())
	values["clear_perplexity"] = metric.Perplexity(judge, before.Part(0, n).Texts())
	return nil
}

// rouge is the mean ROUGE-1 of released texts against the private ones.
func rouge(before, after dataset.Corpus) float64 {
	sum := 0.0
	for i := range before.Len() {
		sum += metric.Rouge1(before.Text(i), after.Text(i))
	}
	return sum / float64(before.Len())
}

// Pair returns one private text and its release. Parameters: those of
// WholeTexts, and text, its number from 0.
func Pair(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	at := number(p, "text")
	r, err := c.release(ctx, p, seed, at+1)
	if err != nil {
		return leftOut(err)
	}
	return result.Outcome{Texts: map[string]string{"private": c.private.Texts[at], "released": c.corpus.Text(r.texts[at])}, Evidence: r.evidence}, nil
}

// Shuffled releases each private text by retrieval, or its vector by privunit, and
// shuffles the releases of one label, at the local epsilon whose proved central bound is
// the trial's epsilon: for the label with the fewest texts, at the default delta. Labels
// are public, unlike those of Synthetic, and neighbours differ in one text that is
// replaced. Figures: those of WholeTexts or TextVectors, local_epsilon, delta, records of
// that label. Parameters: those of WholeTexts.
func Shuffled(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	counts := make([]int, len(c.labels))
	for _, y := range c.private.Labels {
		counts[y]++
	}
	n := slices.Min(counts)
	if n < 2 {
		return result.Outcome{LeftOut: fmt.Sprintf("one label has %d private texts", n)}, nil
	}
	epsilon, _ := p.Number("epsilon")
	delta := shuffle.DefaultDelta(n)
	local, err := localEpsilon(n, epsilon, delta)
	if err != nil {
		return result.Outcome{}, err
	}
	at := slices.Clone(p)
	for i := range at {
		if at[i].Name == "epsilon" {
			at[i].Value = local
		}
	}
	run := WholeTexts
	if strings.HasPrefix(p.Get("mechanism"), "privunit") {
		run = TextVectors
	}
	out, err := run(ctx, b, at, seed)
	if err == nil && out.LeftOut == "" {
		out.Values["local_epsilon"], out.Values["delta"], out.Values["records"] = local, delta, float64(n)
	}
	return out, err
}

// localEpsilon returns the largest local epsilon, to a hundredth, whose bound for n
// shuffled records is at most epsilon: at least epsilon itself.
func localEpsilon(n int, epsilon, delta float64) (float64, error) {
	const step, most = 0.01, 12
	low, high := 0, int(most/step)
	for high-low > 1 {
		middle := (low + high) / 2
		bound, err := shuffle.Release{Records: n, Epsilon: float64(middle) * step}.AtDelta(delta)
		if err != nil {
			return 0, err
		}
		if bound.Epsilon <= epsilon {
			low = middle
		} else {
			high = middle
		}
	}
	return max(float64(low)*step, epsilon), nil
}
