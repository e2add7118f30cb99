package language

import (
	"math"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

// The orders of the models that this package trains and reads.
const (
	MinOrder = 2
	MaxOrder = 6
)

// Card describes a model. It quotes no text.
type Card struct {
	Public bool  `json:"public"` // the texts are declared public
	Order  int   `json:"order"`  // words of the longest n-gram
	Words  int   `json:"words"`  // of the vocabulary
	NGrams []int `json:"ngrams"` // by length, from 1; of length 1 the words, </s> and <s>
	// Vocabulary is the SHA-256 of the words and of which of them is the unknown entry.
	Vocabulary string `json:"vocabulary_sha256"`
	Table      Table  `json:"table"`
	// Corpus is zero for a model whose texts are not known, such as one of an ARPA file.
	Corpus Corpus `json:"corpus"`
	// Discounts are those of n-grams that occur once, twice, and three times or more, by
	// length from 1; none for a model that was not trained here.
	Discounts []Discount `json:"discounts,omitempty"`
	// Parts are the models that an interpolated one was made of.
	Parts []Part `json:"parts,omitempty"`
}

// Table identifies the table whose words are the vocabulary.
type Table struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Corpus describes the training texts.
type Corpus struct {
	Texts  int `json:"texts"`
	Tokens int `json:"tokens"` // words; neither <s> nor </s>
}

// Model is an n-gram model. It is immutable and safe for concurrent use.
type Model struct {
	card       Card
	vocabulary *Vocabulary
	trie       *trie

	digested sync.Once
	digest   string
}

// State is a context: the words before a position that the probability of the next word
// depends on. Equal states give equal probabilities for all that follows. States of
// different models cannot be compared.
type State uint32

// Card returns the model's card.
func (m *Model) Card() Card {
	card := m.card
	card.NGrams, card.Discounts, card.Parts = slices.Clone(card.NGrams), slices.Clone(card.Discounts), slices.Clone(card.Parts)
	return card
}

// Order returns the number of words of the longest n-gram.
func (m *Model) Order() int { return m.trie.order }

// Words returns the number of words of the model.
func (m *Model) Words() int { return m.card.Words }

// Vocabulary returns the model's words.
func (m *Model) Vocabulary() *Vocabulary { return m.vocabulary }

// Start returns the state before the first word of a text.
func (m *Model) Start() State { return State(m.trie.begin()) }

// Empty returns the state of no context: the next word has its unigram probability.
func (m *Model) Empty() State { return emptyContext }

// Next returns the natural logarithm of the probability of w after s, and the state after
// w. It panics if w is not of the vocabulary.
func (m *Model) Next(s State, w embedding.ID) (logProb float64, next State) {
	if int(w) >= m.card.Words {
		panic("language: a word is not of the vocabulary")
	}
	return m.trie.next(s, uint32(w))
}

// End returns the natural logarithm of the probability that the text ends after s.
func (m *Model) End(s State) float64 {
	return m.trie.ending(s)
}

// GoesOn returns the chance that a text does not end after s.
func (m *Model) GoesOn(s State) float64 {
	if s == emptyContext {
		return 1 - math.Exp(m.trie.ending(s))
	}
	return m.trie.goesOn[s]
}

// Backoff returns the state of the longest proper suffix of the context that the model has,
// and the natural logarithm of its backoff weight. A word w that [Model.Continuations] does
// not yield after s has the log-probability weight + log P(w | shorter). ok is false for
// the empty context.
func (m *Model) Backoff(s State) (weight float64, shorter State, ok bool) {
	if s == emptyContext {
		return 0, s, false
	}
	n := &m.trie.context[s]
	return n.backoff, n.suffix, true
}
