package vectors

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// vocabulary is the words of a table to be. Its unknown entry is behind the last word.
type vocabulary struct {
	words []string
	index map[string]embedding.ID
	rules *segment.Rules // nil for English
}

// choose returns the most frequent words, at most n, that occur at least least times.
// Words of the same frequency are in the order of their bytes.
func choose(count map[string]int64, n int, least int64) []string {
	var words []string
	for word, times := range count {
		if times >= least {
			words = append(words, word)
		}
	}
	return mostFrequent(words, count, n)
}

// chooseWith is choose with words that are always chosen, as far as there is room.
func chooseWith(always map[string]bool, count map[string]int64, n int, least int64) []string {
	must := mostFrequent(sorted(always), count, n)
	rest := make(map[string]int64, len(count))
	for word, times := range count {
		if !always[word] {
			rest[word] = times
		}
	}
	words := append(must, choose(rest, n-len(must), least)...)
	return mostFrequent(words, count, n)
}

// mostFrequent sorts words by their counts and returns the first n.
func mostFrequent(words []string, count map[string]int64, n int) []string {
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	return slices.Clone(words[:min(n, len(words))])
}

func newVocabulary(words []string) *vocabulary {
	v := &vocabulary{words: words, index: make(map[string]embedding.ID, len(words))}
	for i, w := range words {
		v.index[w] = embedding.ID(i)
	}
	return v
}

// newVocabularyBy returns the vocabulary of words of some rules.
func newVocabularyBy(words []string, rules *segment.Rules) *vocabulary {
	v := newVocabulary(words)
	v.rules = rules
	return v
}

// Segmentation and what follows make it a [text.Vocabulary].
func (v *vocabulary) Segmentation() *segment.Rules { return v.rules }

func (v *vocabulary) Len() int { return len(v.words) }

func (v *vocabulary) Lookup(word string) (embedding.ID, bool) {
	id, ok := v.index[word]
	return id, ok
}

func (v *vocabulary) Word(id embedding.ID) string {
	if int(id) < len(v.words) {
		return v.words[id]
	}
	return ""
}

func (v *vocabulary) Unknown() embedding.ID { return embedding.ID(len(v.words)) }

// growing is a vocabulary that has almost every word, and counts how often a tokenizer
// gives each. It lacks words with an apostrophe inside: the tokenizer expands or cuts
// them, and so it does where the table lacks them.
type growing struct {
	vocabulary
	count []int64
}

func newGrowing() *growing { return &growing{vocabulary: *newVocabulary(nil)} }

// Lookup adds a word that is new.
func (g *growing) Lookup(word string) (embedding.ID, bool) {
	if strings.LastIndexByte(word, '\'') > 0 || strings.IndexByte(word, 0) >= 0 {
		return 0, false
	}
	id, ok := g.index[word]
	if !ok {
		id = embedding.ID(len(g.words))
		g.words, g.count = append(g.words, word), append(g.count, 0)
		g.index[word] = id
	}
	return id, true
}

// Unknown is an ID that no entry has.
func (g *growing) Unknown() embedding.ID { return math.MaxUint32 }

// add counts the words of a text.
func (g *growing) add(ids []embedding.ID) {
	for _, id := range ids {
		if id != g.Unknown() {
			g.count[id]++
		}
	}
}
