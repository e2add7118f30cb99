package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/privacy"
)

// perturber opens the vector mechanism of a trial: "madlib" is its noise on the
// vector itself, "privemb NAME=VALUE ..." a member of the catalogue with the
// parameter beta where the trial has one, "none" the vector as it is.
func (b *Bench) perturber(table *embedding.Table, p result.Params) (mechanism.Perturber, result.Evidence, error) {
	epsilon, _ := p.Number("epsilon")
	name := p.Get("mechanism")
	if name == "none" {
		return nil, result.Evidence{}, nil
	}
	if beta := p.Get("beta"); beta != "" && strings.HasPrefix(name, "privemb") {
		name += " beta=" + beta
	}
	name, spec, err := private.Setting{Name: name, Epsilon: epsilon}.Spec()
	if err != nil {
		return nil, result.Evidence{}, err
	}
	entry, ok := catalog.Find(name)
	if !ok {
		return nil, result.Evidence{}, &sotto.UnknownMechanismError{Name: name}
	}
	var m mechanism.Perturber
	if name == "madlib" {
		m = spherical{epsilon, table.Dim()}
	} else {
		spec.Cache = b.Opener.Cache
		m, err = b.perturbers.get(fmt.Sprint(table.Digest(), name, spec.Parameters, epsilon), func() (mechanism.Perturber, error) {
			return entry.NewPerturber(context.Background(), table, spec)
		})
		if err != nil {
			return nil, result.Evidence{}, err
		}
	}
	claim, standing := m.Claim(), entry.Standing
	e := result.Evidence{Claim: &claim, Standing: &standing, Published: audit.PublishedClaim(entry, m)}
	if strings.Contains(p.Get("mechanism"), "lipschitz=paper") {
		stated := privacy.Stated // 1 + beta rests on a constant that the paper does not state
		published := claim
		published.Epsilon = spec.Epsilon
		e.Standing, e.Published = &stated, &published
	}
	return m, e, nil
}

// spherical adds madlib's noise to a vector, without the nearest word: density
// proportional to e^(-epsilon norm). Its claim is madlib's, for a vector.
type spherical struct {
	epsilon float64
	dim     int
}

func (s spherical) Claim() privacy.Claim {
	return privacy.Claim{Unit: privacy.Vector, Notion: privacy.Metric, Distance: "euclidean", Epsilon: s.epsilon, Assumes: privacy.PublicData | privacy.RealArithmetic}
}
func (s spherical) Settings() []mechanism.Setting {
	return []mechanism.Setting{{Name: "scale", Value: 1 / s.epsilon}}
}
func (s spherical) Dimensions() (int, int) { return s.dim, s.dim }

func (s spherical) Perturb(dst, src []float32, rng rand.Source) error {
	if len(src) != s.dim || len(dst) != s.dim {
		return fmt.Errorf("madlib: vectors of %d and %d components, want %d", len(src), len(dst), s.dim)
	}
	noise.Spherical(dst, s.epsilon, noise.OrSecure(rng))
	for k, v := range src {
		dst[k] += v
	}
	return nil
}

// scaleOf returns the scale of the noise: its density is proportional to e^(-norm/scale).
func scaleOf(m mechanism.Perturber) float64 {
	for _, s := range m.Settings() {
		if v, ok := s.Value.(float64); ok && s.Name == "scale" {
			return v
		}
	}
	return math.NaN()
}

// release returns a private version of a vector, or the vector.
func release(m mechanism.Perturber, v []float32, rng rand.Source) ([]float32, error) {
	if m == nil {
		return v, nil
	}
	_, n := m.Dimensions()
	out := make([]float32, n)
	return out, m.Perturb(out, v, rng)
}

// Approximate estimates distances and inner products of words from their private
// vectors. A squared distance is estimated by that of the private vectors less
// 2 m (m + 1) scale^2, the noise's expected part in m dimensions (at least 0);
// an inner product by that of the private vectors. Figures are mean errors: of
// distances relative to the true one, of inner products relative to the mean
// squared norm of the words. Parameters: table, mechanism, epsilon, beta, pairs
// (that many words against that many others).
func Approximate(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	m, evidence, err := b.perturber(table, p)
	if err != nil {
		return leftOut(err)
	}
	rng := noise.Seeded(seed, 0)
	order := rand.New(rng).Perm(table.Len())[:2*number(p, "pairs")]
	_, dim := m.Dimensions()
	shift := 2 * float64(dim) * float64(dim+1) * scaleOf(m) * scaleOf(m)
	var clear, noisy [][]float32
	square := 0.0
	for _, x := range order {
		v := table.Vector(nil, embedding.ID(x))
		w, err := release(m, v, rng)
		if err != nil {
			return result.Outcome{}, err
		}
		clear, noisy = append(clear, v), append(noisy, w)
		square += inner(v, v) / float64(len(order))
	}
	half := len(order) / 2
	var far, products []float64
	for i := range half {
		for j := half; j < len(order); j++ {
			d, e := math.Sqrt(squared(clear[i], clear[j])), math.Sqrt(max(0, squared(noisy[i], noisy[j])-shift))
			far = append(far, math.Abs(e-d)/d)
			products = append(products, math.Abs(inner(noisy[i], noisy[j])-inner(clear[i], clear[j]))/square)
		}
	}
	return result.Outcome{Evidence: evidence, Values: map[string]float64{
		"distance_error": mean(far), "inner_product_error": mean(products), "dimensions": float64(dim),
	}}, nil
}

func inner(a, b []float32) float64 {
	sum := 0.0
	for k, v := range a {
		sum += float64(v) * float64(b[k])
	}
	return sum
}

func squared(a, b []float32) float64 {
	sum := 0.0
	for k, v := range a {
		d := float64(v) - float64(b[k])
		sum += d * d
	}
	return sum
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Opinions trains a linear support vector machine to distinguish positive from negative
// words of the lexicon by their private vectors: four fifths of the words in the
// table train, one fifth tests, all private. Parameters: table, lexicon,
// mechanism, epsilon, beta.
func Opinions(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	lexicon, err := b.Source.Lexicon()
	if err != nil {
		return result.Outcome{}, err
	}
	m, evidence, err := b.perturber(table, p)
	if err != nil {
		return leftOut(err)
	}
	rng := noise.Seeded(seed, 0)
	var rows [][]float64
	var yes []bool
	for i, word := range append(append([]string{}, lexicon.Positive...), lexicon.Negative...) {
		x, known := table.Lookup(word)
		if !known {
			continue
		}
		w, err := release(m, table.Vector(nil, x), rng)
		if err != nil {
			return result.Outcome{}, err
		}
		rows, yes = append(rows, widen(w)), append(yes, i < len(lexicon.Positive))
	}
	rand.New(noise.Seeded(seed, 1)).Shuffle(len(rows), func(i, j int) {
		rows[i], rows[j], yes[i], yes[j] = rows[j], rows[i], yes[j], yes[i]
	})
	model.Standardise(rows)
	const penalty = 1e-2
	cut := len(rows) * 4 / 5
	machine, err := model.FitSVM(rows[:cut], yes[:cut], penalty)
	if err != nil {
		return result.Outcome{}, err
	}
	right, scores := 0, []float64{}
	for i, row := range rows[cut:] {
		scores = append(scores, machine.Score(row))
		if scores[i] > 0 == yes[cut+i] {
			right++
		}
	}
	return result.Outcome{Evidence: evidence, Values: map[string]float64{
		"accuracy": float64(right) / float64(len(scores)), "auc": metric.AUC(scores, yes[cut:]), "words": float64(len(rows)),
	}}, nil
}

func widen(v []float32) []float64 {
	out := make([]float64, len(v))
	for k, a := range v {
		out[k] = float64(a)
	}
	return out
}

// Sentences trains a softmax regression on averages of private word vectors, and measures
// it on test texts of private vectors too. Parameters: set, table, mechanism,
// epsilon, beta, train and test (numbers of texts, 0 for all).
func Sentences(_ context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	m, evidence, err := b.perturber(table, p)
	if err != nil {
		return leftOut(err)
	}
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	var rows [2][][]float64
	var labels [2][]int
	for i, of := range []string{"train", "test"} {
		c, err := b.Corpus(set.Name, of, number(p, of), table)
		if err != nil {
			return result.Outcome{}, err
		}
		if rows[i], err = averages(table, m, c, noise.Seeded(seed, uint64(i))); err != nil {
			return result.Outcome{}, err
		}
		model.Standardise(rows[i])
		labels[i] = c.Labels
	}
	const penalty = 1e-2
	found, err := model.FitSoftmax(rows[0], labels[0], len(set.Labels), penalty)
	if err != nil {
		return result.Outcome{}, err
	}
	said := best(found, rows[1])
	return result.Outcome{Evidence: evidence, Values: map[string]float64{
		"accuracy": metric.Accuracy(said, labels[1]), "macro_f1": metric.MacroF1(said, labels[1], len(set.Labels)),
	}}, nil
}

// averages returns the means of texts' private word vectors. Every occurrence of a word is
// a draw of its own.
func averages(table *embedding.Table, m mechanism.Perturber, c dataset.Corpus, rng rand.Source) ([][]float64, error) {
	width := table.Dim()
	if m != nil {
		_, width = m.Dimensions()
	}
	rows := make([][]float64, c.Len())
	for i := range rows {
		rows[i] = make([]float64, width)
		text := c.Text(i)
		for _, x := range text {
			w, err := release(m, table.Vector(nil, x), rng)
			if err != nil {
				return nil, err
			}
			for k, v := range w {
				rows[i][k] += float64(v) / float64(len(text))
			}
		}
	}
	return rows, nil
}
