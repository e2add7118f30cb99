package experiment

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
)

// Adept rewrites the test part of a set through a model of its training part. It measures
// the similarity of the texts, and the accuracy of a classifier of the (public) training
// part on them, and attacks the released vectors and texts: see attackLatents. Parameters: those of a model, mechanism ("none": no noise),
// epsilon, texts (0 for all), candidates.
func Adept(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	m, err := b.autoencoder(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	perturber, evidence, err := latentPerturber(m, p)
	if err != nil {
		return leftOut(err)
	}
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	read, err := b.readable(m, set.Name, number(p, "texts"))
	if err != nil {
		return result.Outcome{}, err
	}
	k := m.Dimensions()
	clear := m.Encode(nil, read.Texts())
	noisy := append([]float32(nil), clear...)
	rng := noise.Seeded(seed, 0)
	if perturber != nil {
		for i := range read.Len() {
			if err := perturber.Perturb(noisy[i*k:(i+1)*k], clear[i*k:(i+1)*k], rng); err != nil {
				return result.Outcome{}, err
			}
		}
	}
	written := m.Decode(noisy, 1)
	values := likeness(metric.NewUnit(m.Table()), read, written)
	values["loss"] = m.Loss(noisy, read.Texts())
	values["intent_accuracy"], err = b.legible(m, set, read, written)
	if err != nil {
		return result.Outcome{}, err
	}
	if n := number(p, "candidates"); n > 1 {
		train, err := b.Corpus(set.Name, "train", 0, m.Table())
		if err != nil {
			return result.Outcome{}, err
		}
		language := newBigrams(m, train, seed)
		attackLatents(values, m, read, noisy, written, perturber, language, n)
		values["attack_guess"] = 1 / float64(n)
		if e := evidence.Claim; e != nil && e.Delta == 0 {
			values["attack_limit"] = 1 / (1 + float64(n-1)*math.Exp(-e.Epsilon))
		}
	}
	return result.Outcome{Evidence: evidence, Values: values}, nil
}

// latentPerturber opens "adept NAME=VALUE ..." or "adept-published" over a model.
func latentPerturber(m *autoencoder.Model, p result.Params) (mechanism.Perturber, result.Evidence, error) {
	if p.Get("mechanism") == "none" {
		return nil, result.Evidence{}, nil
	}
	epsilon, _ := p.Number("epsilon")
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon}.Spec()
	if err != nil {
		return nil, result.Evidence{}, err
	}
	entry, ok := catalog.Find(name)
	if !ok || entry.NewLatent == nil {
		return nil, result.Evidence{}, &sotto.UnknownMechanismError{Name: name}
	}
	norms := m.Card().Latent
	perturber, err := entry.NewLatent(context.Background(), mechanism.Latent{Dim: m.Dimensions(), MedianL1: norms.MedianL1, MedianL2: norms.MedianL2}, spec)
	if err != nil {
		return nil, result.Evidence{}, err
	}
	claim, standing := perturber.Claim(), entry.Standing
	e := result.Evidence{Claim: &claim, Standing: &standing}
	if entry.Published != nil {
		published := *entry.Published
		published.Epsilon = epsilon
		e.Published = &published
		e.Refutation = "an l2 clip leaves an l1 sensitivity of 2C sqrt(k), not 2C"
	}
	return perturber, e, nil
}

// legible returns the accuracy, on the written texts, of a bag of words that was trained on
// the training part as it is.
func (b *Bench) legible(m *autoencoder.Model, set *dataset.Set, read dataset.Corpus, written [][]embedding.ID) (float64, error) {
	bag, err := b.bags.get(set.Name+m.Table().Digest(), func() (*model.Bag, error) {
		train, err := b.Corpus(set.Name, "train", 0, m.Table())
		bag := model.NewBag(m.Table(), len(set.Labels))
		if err == nil {
			bag.Fit(train, model.DefaultBag)
		}
		return bag, err
	})
	if err != nil {
		return 0, err
	}
	return metric.Accuracy(bag.Predict(corpusOf(written, read)), read.Labels), nil
}

func settingOf(m mechanism.Perturber, name string) any {
	for _, s := range m.Settings() {
		if s.Name == name {
			return s.Value
		}
	}
	return nil
}

// attackLatents is the attack that Habernal 2021 sketches in Appendix C: whoever has
// the model and a list of candidates, the true text among them, encodes each and
// takes the one nearest to what was released. The others are drawn from a language
// model of the public corpus (bigrams), separately for each text. attack_vector sees the
// noisy vector and uses the distance that the noise's law makes the most probable
// candidate's (l1 for Laplace, l2 for Gaussian noise); attack_text sees the written
// text alone and encodes it. Ties go to the candidates that are false.
func attackLatents(values map[string]float64, m *autoencoder.Model, read dataset.Corpus, noisy []float32, written [][]embedding.ID, perturber mechanism.Perturber, language *bigrams, candidates int) {
	k := m.Dimensions()
	l1 := perturber != nil && settingOf(perturber, "sigma") == nil
	again := m.Encode(nil, written)
	byVector, byText := 0, 0
	for i := range read.Len() {
		list := [][]embedding.ID{read.Text(i)}
		for len(list) < candidates {
			list = append(list, language.sentence(m.Tokens()))
		}
		latents := m.Encode(nil, list)
		if nearestIsFirst(noisy[i*k:(i+1)*k], latents, perturber, l1) {
			byVector++
		}
		if nearestIsFirst(again[i*k:(i+1)*k], latents, nil, false) {
			byText++
		}
	}
	values["attack_vector"] = float64(byVector) / float64(read.Len())
	values["attack_text"] = float64(byText) / float64(read.Len())
}

// nearestIsFirst reports whether the first of vectors is strictly the nearest. Each is
// clipped as the mechanism does.
func nearestIsFirst(to, vectors []float32, perturber mechanism.Perturber, l1 bool) bool {
	k := len(to)
	best, at := math.Inf(1), -1
	for c := len(vectors)/k - 1; c >= 0; c-- { // the first comes last, and must be nearer
		v := vectors[c*k : (c+1)*k]
		factor := 1.0
		if perturber != nil {
			if radius, ok := settingOf(perturber, "clip").(float64); ok {
				factor = min(1, radius/normOf(v, settingOf(perturber, "norm") == "l1"))
			}
		}
		d := 0.0
		for j, x := range v {
			if e := math.Abs(float64(to[j]) - factor*float64(x)); l1 {
				d += e
			} else {
				d += e * e
			}
		}
		if d < best {
			best, at = d, c
		}
	}
	return at == 0
}

func normOf(v []float32, l1 bool) float64 {
	sum := 0.0
	for _, x := range v {
		if l1 {
			sum += math.Abs(float64(x))
		} else {
			sum += float64(x) * float64(x)
		}
	}
	if l1 {
		return sum
	}
	return math.Sqrt(sum)
}

// bigrams is a language model of a corpus: the words that follow each word, with their
// multiplicity. The end of a sentence is a word past the last.
type bigrams struct {
	follow map[embedding.ID][]embedding.ID
	end    embedding.ID
	rng    *rand.Rand
}

func newBigrams(m *autoencoder.Model, c dataset.Corpus, seed uint64) *bigrams {
	g := &bigrams{map[embedding.ID][]embedding.ID{}, embedding.ID(m.Table().Len()), rand.New(noise.Seeded(seed, 2))}
	for i := range c.Len() {
		before := g.end
		for _, w := range append(append([]embedding.ID(nil), c.Text(i)...), g.end) {
			g.follow[before] = append(g.follow[before], w)
			before = w
		}
	}
	return g
}

// sentence draws a sentence of at most most words.
func (g *bigrams) sentence(most int) (words []embedding.ID) {
	for before := g.end; len(words) < most; {
		list := g.follow[before]
		if before = list[g.rng.IntN(len(list))]; before == g.end {
			break
		}
		words = append(words, before)
	}
	return words
}
