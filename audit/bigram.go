package audit

import (
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// Bigram is a language prior: the probability of a word after another, counted on a public
// corpus and smoothed towards the words' own frequency (a Dirichlet prior of strength k:
// MacKay and Peto 1995),
//
//	P(b|a) = (c(a,b) + k P(b)) / (c(a) + k),  P(b) = (c(b) + 1) / (N + V).
type Bigram struct {
	k       float64
	words   int
	follows []map[embedding.ID]float64 // by first word; the last is the start of a text
	after   []float64                  // c(a)
	counts  []float64                  // c(b)
	tokens  float64
}

// NewBigram returns an empty prior over a number of words, with strength k.
func NewBigram(words int, k float64) (*Bigram, error) {
	if words < 1 {
		return nil, privacy.Bad("audit", "words", words, "at least 1")
	}
	if !(k > 0) {
		return nil, privacy.Bad("audit", "smoothing", k, "positive")
	}
	return &Bigram{k: k, words: words, follows: make([]map[embedding.ID]float64, words+1),
		after: make([]float64, words+1), counts: make([]float64, words)}, nil
}

// Add counts one public text.
func (b *Bigram) Add(text []embedding.ID) {
	previous := b.words
	for _, w := range text {
		if b.follows[previous] == nil {
			b.follows[previous] = map[embedding.ID]float64{}
		}
		b.follows[previous][w]++
		b.after[previous]++
		b.counts[w]++
		b.tokens++
		previous = int(w)
	}
}

// compiled is the prior in the form that forward-backward uses: sparse counts
// plus a part of rank one, both exact.
type compiled struct {
	own     []float64 // P(b)
	rest    []float64 // k/(c(a)+k)
	targets [][]embedding.ID
	chances [][]float64 // c(a,b)/(c(a)+k)
}

func (b *Bigram) compile() (*compiled, error) {
	if b.tokens == 0 {
		return nil, fmt.Errorf("audit: the corpus of the prior holds no token")
	}
	c := &compiled{own: make([]float64, b.words), rest: make([]float64, b.words+1),
		targets: make([][]embedding.ID, b.words+1), chances: make([][]float64, b.words+1)}
	for w, n := range b.counts {
		c.own[w] = (n + 1) / (b.tokens + float64(b.words))
	}
	for a, follows := range b.follows {
		whole := b.after[a] + b.k
		c.rest[a] = b.k / whole
		for w := range follows {
			c.targets[a] = append(c.targets[a], w)
		}
		sortIDs(c.targets[a]) // one order of summation, so that figures repeat
		for _, w := range c.targets[a] {
			c.chances[a] = append(c.chances[a], follows[w]/whole)
		}
	}
	return c, nil
}

// first writes the chances of a text's first word.
func (c *compiled) first(dst []float64) { c.follow(dst, len(c.own), 1) }

// forward writes sum over a of p(a) P(b|a) for every b.
func (c *compiled) forward(dst, p []float64) {
	shared := 0.0
	for a, v := range p {
		shared += float64(v * c.rest[a])
	}
	for b, own := range c.own {
		dst[b] = shared * own
	}
	for a, v := range p {
		if v == 0 {
			continue
		}
		for i, b := range c.targets[a] {
			dst[b] += float64(v * c.chances[a][i])
		}
	}
}

func (c *compiled) follow(dst []float64, a int, v float64) {
	for b, own := range c.own {
		dst[b] = v * c.rest[a] * own
	}
	for i, b := range c.targets[a] {
		dst[b] += float64(v * c.chances[a][i])
	}
}

// backward writes sum over b of P(b|a) q(b) for every a.
func (c *compiled) backward(dst, q []float64) {
	shared := 0.0
	for b, v := range q {
		shared += float64(v * c.own[b])
	}
	for a := range dst {
		s := c.rest[a] * shared
		for i, b := range c.targets[a] {
			s += float64(c.chances[a][i] * q[b])
		}
		dst[a] = s
	}
}

func sortIDs(ids []embedding.ID) { slices.Sort(ids) }
