package language

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Vocabulary holds the words of a model, which are those of a table. It is a
// [text.Vocabulary], so a tokenizer needs no table.
type Vocabulary struct {
	words   []string
	index   map[string]embedding.ID
	unknown embedding.ID
	rules   *segment.Rules // nil for English
	digest  string
}

var _ tokenize.Vocabulary = (*Vocabulary)(nil)

// mostWords bounds a vocabulary, so that numbers of n-grams fit 32 bits.
const mostWords = 1 << 30

// newVocabulary returns a vocabulary that keeps words.
func newVocabulary(words []string, unknown embedding.ID, rules *segment.Rules) (*Vocabulary, error) {
	if len(words) == 0 || len(words) > mostWords || int(unknown) >= len(words) {
		return nil, fmt.Errorf("%d words, must be 1 to %d with the unknown entry among them", len(words), mostWords)
	}
	v := &Vocabulary{words: words, index: make(map[string]embedding.ID, len(words)), unknown: unknown, rules: rules}
	h := sha256.New()
	h.Write([]byte("sotto vocabulary 1\x00"))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(unknown)))
	for i, w := range words {
		if _, ok := v.index[w]; ok {
			return nil, fmt.Errorf("word %d repeats an earlier one", i+1)
		}
		v.index[w] = embedding.ID(i)
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(w))))
		h.Write([]byte(w))
	}
	if err := rules.Fits(slices.All(words), func(word string) bool { _, ok := v.index[word]; return ok }); err != nil {
		return nil, err
	}
	h.Write(rules.Marshal())
	v.digest = hex.EncodeToString(h.Sum(nil))
	return v, nil
}

// VocabularyOf returns the words of a table.
func VocabularyOf(t *embedding.Table) (*Vocabulary, error) {
	words := make([]string, t.Len())
	for i := range words {
		words[i] = t.Word(embedding.ID(i))
	}
	if err := t.OfWords(); err != nil {
		return nil, err
	}
	v, err := newVocabulary(words, t.Unknown(), t.Segmentation())
	if err != nil {
		return nil, fmt.Errorf("language: %w", err)
	}
	return v, nil
}

// Segmentation returns the table's rules that cut texts into words; nil means the rules for
// English.
func (v *Vocabulary) Segmentation() *segment.Rules { return v.rules }

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Lookup returns the ID of a spelling.
func (v *Vocabulary) Lookup(word string) (embedding.ID, bool) {
	id, ok := v.index[word]
	return id, ok
}

// Word returns the spelling of id.
func (v *Vocabulary) Word(id embedding.ID) string { return v.words[id] }

// Unknown returns the entry for tokens that are not in the vocabulary.
func (v *Vocabulary) Unknown() embedding.ID { return v.unknown }

// Digest returns the SHA-256 of the words, in hexadecimal.
func (v *Vocabulary) Digest() string { return v.digest }
