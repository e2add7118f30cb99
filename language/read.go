package language

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

func damaged(format string, args ...any) error {
	return &FileError{What: fmt.Sprintf(format, args...)}
}

// Read returns the model of a file's bytes, and refuses them unless they have the digest
// that they state. It allocates in proportion to the bytes, whatever they state. The
// model keeps no reference to them: the bytes that are verified are those in use, which
// would not hold for a mapped file.
func Read(ctx context.Context, data []byte) (*Model, error) {
	if !IsModel(data) {
		return nil, damaged("not a model of this version")
	}
	body := len(data) - sha256.Size
	if body < len(modelMagic)+8 || sha256.Sum256(data[:body]) != [sha256.Size]byte(data[body:]) {
		return nil, damaged("the file is damaged or truncated: the digest does not match")
	}
	digest, rest := hex.EncodeToString(data[body:]), data[len(modelMagic):body]
	n := binary.LittleEndian.Uint64(rest)
	var head modelHead
	if rest = rest[8:]; n > mostHead || n > uint64(len(rest)) || json.Unmarshal(rest[:n], &head) != nil {
		return nil, damaged("the description is invalid")
	}
	rest = rest[n:]
	if err := head.check(len(rest)); err != nil {
		return nil, err
	}
	m := &Model{card: head.Card, digest: digest}
	words, rest := head.words(rest)
	rules, err := head.rules()
	if err != nil {
		return nil, err
	}
	if m.vocabulary, err = newVocabulary(words, head.Unknown, rules); err != nil {
		return nil, damaged("the vocabulary is invalid: %v", err)
	}
	if m.vocabulary.digest != head.Card.Vocabulary {
		return nil, damaged("the words are not those of the description")
	}
	m.trie = head.trie(rest)
	if err := m.trie.check(); err != nil {
		return nil, err
	}
	m.trie.link()
	if err := m.finish(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

// check checks the sizes against the number of bytes of the arrays.
func (h *modelHead) check(length int) error {
	c := &h.Card
	bad := c.Order < MinOrder || c.Order > MaxOrder || len(c.NGrams) != c.Order ||
		c.Words < 1 || c.Words > min(mostWords, length) || h.Spelling < 0 || h.Spelling > length || c.NGrams[0] != c.Words+2
	all := 0
	for _, n := range c.NGrams {
		bad = bad || n < 0 || n > length
		all += n
	}
	if bad || all > math.MaxUint32-1 || h.size() != length {
		return damaged("the sizes of the description do not match the file")
	}
	return nil
}

// rules returns the rules of segmentation.
func (h *modelHead) rules() (*segment.Rules, error) {
	if len(h.Segmentation) == 0 {
		return nil, nil
	}
	rules, err := segment.Parse(h.Segmentation)
	if err != nil {
		return nil, damaged("%v", err)
	}
	return rules, nil
}

// words reads the words, and returns what follows them.
func (h *modelHead) words(data []byte) ([]string, []byte) {
	lengths, text := data[:4*h.Card.Words], data[4*h.Card.Words:][:h.Spelling]
	words := make([]string, h.Card.Words)
	for i := range words {
		n := min(int(binary.LittleEndian.Uint32(lengths[4*i:])), len(text))
		words[i], text = string(text[:n]), text[n:]
	}
	return words, data[4*h.Card.Words+h.Spelling:]
}

// trie reads the n-grams.
func (h *modelHead) trie(data []byte) *trie {
	t := &trie{order: h.Card.Order, words: uint32(h.Card.Words), starts: make([]uint32, 1, h.Card.Order+1)}
	for _, n := range h.Card.NGrams {
		t.starts = append(t.starts, t.starts[len(t.starts)-1]+uint32(n))
	}
	integers := func(n uint32) []uint32 {
		list := make([]uint32, n)
		for i := range list {
			list[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		data = data[4*n:]
		return list
	}
	numbers := func(n uint32) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		}
		data = data[8*n:]
		return list
	}
	t.word = integers(t.size() - t.unigrams())
	t.context = make([]node, t.contexts()+1)
	for i, first := range integers(t.contexts() + 1) {
		t.context[i].first = first
	}
	t.log = numbers(t.size())
	for i, weight := range numbers(t.contexts()) {
		t.context[i].backoff = weight
	}
	return t
}

// check checks that n-grams are sorted, that extensions are in range, and that numbers
// are finite and probabilities at most 1.
func (t *trie) check() error {
	for k := range t.order {
		if e := t.starts[k]; k < t.order-1 && t.context[e].first != t.starts[k+1] {
			return damaged("the extensions of %d-grams are out of range", k+1)
		}
	}
	if t.context[t.contexts()].first != t.size() {
		return damaged("the last extensions are out of range")
	}
	for c := range t.contexts() {
		from, to := t.run(c)
		if from > to || to > t.size() || from < to && (c == t.end() || c >= t.unigrams() && t.ends(c)) {
			return damaged("the extensions of n-gram %d are out of range", c)
		}
		for e := from; e < to; e++ {
			if w := t.word[e-t.unigrams()]; w > t.end() || e > from && w <= t.word[e-1-t.unigrams()] {
				return damaged("n-gram %d is out of order", e)
			}
		}
		if b := t.context[c].backoff; b-b != 0 {
			return damaged("the weight of n-gram %d is not a finite number", c)
		}
	}
	for e, x := range t.log {
		if x-x != 0 || x > 0 {
			return damaged("n-gram %d has no probability", e)
		}
	}
	return nil
}

// Check returns an error unless a table has the words of the model.
func (m *Model) Check(table *embedding.Table) error {
	v := m.vocabulary
	same := table.Len() == v.Len() && table.Unknown() == v.unknown && table.Segmentation().Equal(v.rules)
	for i := 0; same && i < v.Len(); i++ {
		same = table.Word(embedding.ID(i)) == v.words[i]
	}
	if !same {
		return fmt.Errorf("language: the model has the %d words of the table %q, which are not the %d words of the table %q", v.Len(), m.card.Table.Name, table.Len(), table.Name())
	}
	return nil
}
