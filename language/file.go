package language

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"

	"github.com/sotto-dp/sotto/embedding"
)

// Extension is the extension of a model's file.
const Extension = ".lm"

// A file is a line that names its kind and version, the length of a JSON head (uint64),
// the head, and arrays: the lengths of the words (uint32) and their bytes; the last word
// of each n-gram of length 2 or more (uint32), by length; the first extension of each
// context and the end (uint32); the log-probabilities of all n-grams and the weights of
// the contexts (float64). The SHA-256 of all this ends it. Integers and numbers are
// little-endian. The n-grams' suffixes and their order by probability follow from these.
const (
	modelMagic = "sotto language model 1\n"
	mostHead   = 1 << 28
)

type modelHead struct {
	Card     Card         `json:"card"`
	Unknown  embedding.ID `json:"unknown"`
	Spelling int          `json:"spelling"` // bytes of all words
	// Segmentation has the rules of the table; none for English.
	Segmentation json.RawMessage `json:"segmentation,omitempty"`
}

// Marshal returns the bytes of the model's file.
func (m *Model) Marshal() []byte {
	v, t := m.vocabulary, m.trie
	head := modelHead{Card: m.card, Unknown: v.unknown, Segmentation: v.rules.Marshal()}
	for _, w := range v.words {
		head.Spelling += len(w)
	}
	text, err := json.Marshal(head)
	if err != nil {
		panic(err) // a head holds finite numbers and valid text
	}
	le := binary.LittleEndian
	out := make([]byte, 0, len(modelMagic)+8+len(text)+head.size()+sha256.Size)
	out = append(out, modelMagic...)
	out = append(le.AppendUint64(out, uint64(len(text))), text...)
	for _, w := range v.words {
		out = le.AppendUint32(out, uint32(len(w)))
	}
	for _, w := range v.words {
		out = append(out, w...)
	}
	for _, w := range t.word {
		out = le.AppendUint32(out, w)
	}
	for i := range t.context {
		out = le.AppendUint32(out, t.context[i].first)
	}
	for _, x := range t.log {
		out = le.AppendUint64(out, math.Float64bits(x))
	}
	for i := range t.contexts() {
		out = le.AppendUint64(out, math.Float64bits(t.context[i].backoff))
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// Digest returns the SHA-256 of the model's file up to the digest that ends it, in
// hexadecimal.
func (m *Model) Digest() string {
	m.digested.Do(func() {
		if m.digest == "" {
			data := m.Marshal()
			m.digest = hex.EncodeToString(data[len(data)-sha256.Size:])
		}
	})
	return m.digest
}

// size returns the number of bytes of the arrays. The card has been checked.
func (h *modelHead) size() int {
	size, contexts := 0, 0
	for k, n := range h.Card.NGrams {
		if size += 8 * n; k > 0 {
			size += 4 * n
		}
		if k+1 < len(h.Card.NGrams) {
			contexts += n
		}
	}
	return size + 12*contexts + 4 + 4*h.Card.Words + h.Spelling
}

// FileError reports an invalid model file.
type FileError struct {
	What  string
	cause error
}

func (e *FileError) Error() string { return "language model: " + e.What }

// Unwrap returns the operating system's error, if there was one.
func (e *FileError) Unwrap() error { return e.cause }

// IsModel reports whether a file begins as a model does.
func IsModel(data []byte) bool { return bytes.HasPrefix(data, []byte(modelMagic)) }
