package autoencoder

import (
	"math"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// reader cuts texts into a vocabulary's words, and into their actual words.
type reader struct {
	inside, outside *tokenize.Tokenizer
	gatherer        *gatherer
}

func newReader(words []string) *reader {
	g := newGatherer()
	return &reader{tokenize.NewTokenizer(newVocabulary(words)), tokenize.NewTokenizer(g), g}
}

func (r *reader) read(one []byte) (ids []embedding.ID, reference []string, unknown int) {
	ids, unknown = r.inside.Tokenize(nil, one)
	whole, _ := r.outside.Tokenize(nil, one)
	for _, id := range whole {
		reference = append(reference, r.gatherer.words[id])
	}
	return ids, reference, unknown
}

// Measure encodes and decodes texts and measures the result. Words that the vocabulary
// lacks count as errors. change, if not nil, may modify the latent vector of each text.
// Texts longer than the model reads are skipped; Measure also returns the number of texts
// measured.
func (m *Model) Measure(texts [][]byte, beam int, change func(latent []float32) error) (Metrics, int, error) {
	r := newReader(m.words)
	var sentences [][]embedding.ID
	var references [][]string
	for _, one := range texts {
		ids, reference, _ := r.read(one)
		if len(ids) == 0 || len(ids) > m.Tokens() {
			continue
		}
		sentences, references = append(sentences, ids), append(references, reference)
	}
	if len(sentences) == 0 {
		return Metrics{}, 0, nil
	}
	latents := m.Encode(nil, sentences)
	if change != nil {
		for latent := range slices.Chunk(latents, m.Dimensions()) {
			if err := change(latent); err != nil {
				return Metrics{}, 0, err
			}
		}
	}
	metrics := m.score(m.Decode(latents, beam), references)
	metrics.Loss = m.Loss(latents, sentences)
	return metrics, len(sentences), nil
}

func (m *Model) measure(sentences [][]embedding.ID, references [][]string) Metrics {
	return m.score(m.Decode(m.Encode(nil, sentences), 1), references)
}

func (m *Model) score(written [][]embedding.ID, references [][]string) (s Metrics) {
	for i, ids := range written {
		var words []string
		for _, id := range ids {
			words = append(words, m.words[id])
		}
		s.Rouge1 += Rouge1(words, references[i]) / float64(len(written))
		if slices.Equal(words, references[i]) {
			s.Exact += 1 / float64(len(written))
		}
	}
	return s
}

// Rouge1 returns the F1 of single words, each counted as often as it occurs (Lin 2004,
// ROUGE-1). The unknown word matches nothing. Two empty lists score 1.
func Rouge1(words, reference []string) float64 {
	if len(words)+len(reference) == 0 {
		return 1
	}
	left := map[string]int{}
	for _, w := range reference {
		left[w]++
	}
	shared := 0
	for _, w := range words {
		if w != unknown && left[w] > 0 {
			left[w]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(words)+len(reference))
}

// norms returns the medians over sentences.
func (m *Model) norms(sentences [][]embedding.ID) Latent {
	var l1, l2 []float64
	for v := range slices.Chunk(m.Encode(nil, sentences), m.Dimensions()) {
		sum := 0.0
		for _, x := range v {
			sum += math.Abs(float64(x))
		}
		l1, l2 = append(l1, sum), append(l2, length(v))
	}
	slices.Sort(l1)
	slices.Sort(l2)
	return Latent{l1[len(l1)/2], l2[len(l2)/2]}
}
