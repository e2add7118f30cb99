package autoencoder

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
	"strings"
	"unicode"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// unknown is the vocabulary's entry for words that it lacks, its first.
const unknown = "<unk>"

// gatherer is a vocabulary that has every word, so that the rules of package text
// cut a corpus into the corpus's own words.
type gatherer struct {
	words []string
	index map[string]embedding.ID
	count []int
}

func newGatherer() *gatherer {
	return &gatherer{words: []string{unknown}, index: map[string]embedding.ID{unknown: 0}, count: []int{0}}
}

func (g *gatherer) Len() int                    { return 1 << 30 }
func (g *gatherer) Word(id embedding.ID) string { return g.words[id] }
func (g *gatherer) Unknown() embedding.ID       { return 0 }

// Segmentation returns the rules for English.
func (g *gatherer) Segmentation() *segment.Rules { return nil }

// Lookup accepts runs of letters, digits and underscores, single punctuation
// marks, and the two separate endings; the rules cut up everything else.
func (g *gatherer) Lookup(word string) (embedding.ID, bool) {
	if id, ok := g.index[word]; ok {
		return id, true
	}
	if word != "'s" && word != "n't" && len([]rune(word)) > 1 {
		for _, r := range word {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' {
				return 0, false
			}
		}
	}
	id := embedding.ID(len(g.words))
	g.words, g.count = append(g.words, strings.Clone(word)), append(g.count, 0)
	g.index[g.words[id]] = id
	return id, true
}

// common lists the unknown entry and then at most most words that occur at least
// least times, the most frequent first, ties by spelling.
func common(texts [][]byte, most, least int) []string {
	g := newGatherer()
	t := tokenize.NewTokenizer(g)
	var ids []embedding.ID
	for _, one := range texts {
		ids, _ = t.Tokenize(ids[:0], one)
		for _, id := range ids {
			g.count[id]++
		}
	}
	var list []embedding.ID
	for id, n := range g.count {
		if id > 0 && n >= least {
			list = append(list, embedding.ID(id))
		}
	}
	slices.SortFunc(list, func(a, b embedding.ID) int {
		return cmp.Or(cmp.Compare(g.count[b], g.count[a]), strings.Compare(g.words[a], g.words[b]))
	})
	words := []string{unknown}
	for _, id := range list[:min(len(list), most-1)] {
		words = append(words, g.words[id])
	}
	return words
}

// plainVocabulary is a list of words by number.
type plainVocabulary struct {
	words []string
	index map[string]embedding.ID
}

func newVocabulary(words []string) *plainVocabulary {
	v := &plainVocabulary{words, make(map[string]embedding.ID, len(words))}
	for i, w := range words {
		v.index[w] = embedding.ID(i)
	}
	return v
}

func (v *plainVocabulary) Segmentation() *segment.Rules { return nil }
func (v *plainVocabulary) Len() int                     { return len(v.words) }
func (v *plainVocabulary) Word(id embedding.ID) string  { return v.words[id] }
func (v *plainVocabulary) Unknown() embedding.ID        { return 0 }
func (v *plainVocabulary) Lookup(word string) (embedding.ID, bool) {
	id, ok := v.index[word]
	return id, ok
}

// digest returns the SHA-256 of texts, each preceded by its length.
func digest[T string | []byte](texts []T) string {
	h := sha256.New()
	for _, t := range texts {
		writeLength(h, len(t))
		h.Write([]byte(t))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeLength(h hash.Hash, n int) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(n))
	h.Write(size[:])
}
