package synthesis

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/elementary"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Written describes how the texts of a release were written, if they are not texts of the
// corpus.
type Written struct {
	Model string `json:"model_sha256"`
	Order int    `json:"order"` // words of the model's longest n-gram
	Seed  uint64 `json:"seed"`  // public: the noise of the counts does not follow from it
}

// checkModel refuses a model that nobody declared public: the claim takes it as public.
func (o *Options) checkModel() error {
	if o.Model != nil && !o.Model.Card().Public {
		return privacy.Wrong(Name, "language model", "it is not declared public, and the claim depends on that", "train it on a corpus declared public")
	}
	return nil
}

// written describes the texts; nil for public ones.
func (o *Options) written() *Written {
	if o.Model == nil {
		return nil
	}
	return &Written{Model: o.Model.Digest(), Order: o.Model.Order(), Seed: o.ModelSeed}
}

// writer writes a text in place of each public one. What it writes follows from public
// data alone: the model, the texts of the cluster, the seed and the number of the text. So
// it is a post-processing of the released counts. It is for one goroutine.
//
// The next word is one of the cluster's. Its probability is in proportion to that of the
// model after the words before it, times how much likelier the word is in the cluster than
// in the model without a context (unigram rescaling; Gildea and Hofmann 1999). The text
// ends with the probability of the model.
type writer struct {
	plan   *Plan
	of     [][]int32 // texts of each cluster
	tokens *tokenize.Tokenizer
	words  map[int]clusterWords
	logs   []float64
	states []language.State
	chosen []embedding.ID
}

// clusterWords are the distinct words of a cluster.
type clusterWords struct {
	ids   []embedding.ID
	lifts []float64 // likelier than in the model, by this factor
	most  int       // words of the longest text
}

func newWriter(p *Plan, texts [][]int32) *writer {
	return &writer{plan: p, of: texts, tokens: tokenize.NewTokenizer(p.o.Model.Vocabulary()), words: map[int]clusterWords{}}
}

// wordsOf returns the words of a cluster, or of the whole corpus where the model knows
// none of the cluster's.
func (w *writer) wordsOf(cluster int) clusterWords {
	if known, ok := w.words[cluster]; ok {
		return known
	}
	var found clusterWords
	if cluster >= 0 {
		found = w.count(w.of[cluster : cluster+1])
	} else {
		found = w.count(w.of)
	}
	if len(found.ids) == 0 && cluster >= 0 {
		found = w.wordsOf(-1)
	}
	w.words[cluster] = found
	return found
}

func (w *writer) count(clusters [][]int32) (found clusterWords) {
	model, unknown := w.plan.o.Model, w.plan.o.Model.Vocabulary().Unknown()
	counts := map[embedding.ID]int{}
	var body []byte
	var ids []embedding.ID
	total := 0
	for _, texts := range clusters {
		for _, t := range texts {
			body = w.plan.o.Corpus.AppendText(body[:0], int(t))
			ids, _ = w.tokens.Tokenize(ids[:0], body)
			found.most = max(found.most, len(ids))
			for _, id := range ids {
				if id != unknown {
					counts[id]++
					total++
				}
			}
		}
	}
	for id := range counts {
		found.ids = append(found.ids, id)
	}
	slices.Sort(found.ids)
	for _, id := range found.ids {
		log, _ := model.Next(model.Empty(), id)
		found.lifts = append(found.lifts, float64(counts[id])/float64(total)/max(elementary.Exp(min(0, log)), 1e-200))
	}
	return found
}

// append appends what is written in place of text t of a cluster. It has at least one
// word, unless the model knows none of the corpus, and at most as many as the longest text
// of the cluster. Words for English are separated by spaces. Others are put together as
// their rules of segmentation say.
func (w *writer) append(dst []byte, cluster int, t int32) []byte {
	words, model := w.wordsOf(cluster), w.plan.o.Model
	rng := rand.New(rand.NewPCG(w.plan.o.ModelSeed, uint64(t)))
	state := model.Start()
	w.chosen = w.chosen[:0]
	for n := range words.most {
		if len(words.ids) == 0 || n > 0 && rng.Float64() < elementary.Exp(min(0, model.End(state))) {
			break
		}
		i := w.next(words, state, rng.Float64())
		w.chosen, state = append(w.chosen, words.ids[i]), w.states[i]
	}
	if model.Vocabulary().Segmentation() != nil {
		return w.tokens.Detokenize(dst, w.chosen)
	}
	for n, id := range w.chosen {
		if n > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, model.Vocabulary().Word(id)...)
	}
	return dst
}

// next returns the place of the word that a uniform number in [0, 1) chooses after a state.
func (w *writer) next(words clusterWords, state language.State, uniform float64) int {
	w.logs, w.states = w.logs[:0], w.states[:0]
	most := math.Inf(-1)
	for _, id := range words.ids {
		log, after := w.plan.o.Model.Next(state, id)
		w.logs, w.states = append(w.logs, log), append(w.states, after)
		most = max(most, log)
	}
	sum := 0.0
	for i, log := range w.logs {
		sum += float64(elementary.Exp(log-most) * words.lifts[i])
		w.logs[i] = sum // from here on sums of weights
	}
	at := float64(uniform * sum)
	i, _ := slices.BinarySearchFunc(w.logs, at, func(s, at float64) int {
		if s <= at {
			return -1
		}
		return 1
	})
	return min(i, len(w.logs)-1)
}
