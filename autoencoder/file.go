package autoencoder

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// A file is a line that names its kind and version, the length of a JSON head
// (uint64), the head, arrays of float32, and the SHA-256 of all before it;
// integers and numbers are little-endian.
const (
	modelMagic = "sotto autoencoder 1\n"
	stateMagic = "sotto training 1\n"
	mostHead   = 1 << 28
)

func pack(magic string, head any, arrays ...[]float32) []byte {
	var out bytes.Buffer
	out.WriteString(magic)
	data, err := json.Marshal(head)
	if err != nil {
		panic(err) // heads hold finite numbers and text
	}
	out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))
	out.Write(data)
	for _, a := range arrays {
		for _, x := range a {
			out.Write(binary.LittleEndian.AppendUint32(out.AvailableBuffer(), math.Float32bits(x)))
		}
	}
	sum := sha256.Sum256(out.Bytes())
	out.Write(sum[:])
	return out.Bytes()
}

// unpack checks a file, reads its head, and returns what follows it.
func unpack(what, magic string, data []byte, head any) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return nil, fmt.Errorf("%s: not a file of this version", what)
	}
	body := len(data) - sha256.Size
	if body < len(magic)+8 || sha256.Sum256(data[:body]) != [sha256.Size]byte(data[body:]) {
		return nil, fmt.Errorf("%s: damaged or cut off: the checksum does not match", what)
	}
	data = data[len(magic):body]
	n := binary.LittleEndian.Uint64(data)
	if n > mostHead || n > uint64(len(data)-8) || json.Unmarshal(data[8:8+n], head) != nil {
		return nil, fmt.Errorf("%s: damaged: its header cannot be read", what)
	}
	return data[8+n:], nil
}

// numbers reads finite numbers into dst and returns what follows them.
func numbers(what string, data []byte, dst []float32) ([]byte, error) {
	if len(data) < 4*len(dst) {
		return nil, fmt.Errorf("%s: damaged: numbers are missing", what)
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if dst[i]-dst[i] != 0 {
			return nil, fmt.Errorf("%s: damaged: a weight is not a finite number", what)
		}
	}
	return data[4*len(dst):], nil
}

// modelHead is the head of a model's file.
type modelHead struct {
	Card  Card     `json:"card"`
	Words []string `json:"words"`
}

// Marshal returns the model as the bytes of its file.
func (m *Model) Marshal() []byte {
	return pack(modelMagic, modelHead{m.card, m.words}, m.weights)
}

// Read reads a model from the bytes of its file. It refuses what is damaged, cut
// off or of another version.
func Read(data []byte) (*Model, error) {
	const what = "model file"
	var head modelHead
	rest, err := unpack(what, modelMagic, data, &head)
	if err != nil {
		return nil, err
	}
	s := head.Card.Shape
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if s.Words != len(head.Words) || head.Words[0] != unknown || digest(head.Words) != head.Card.Vocabulary {
		return nil, fmt.Errorf("%s: damaged: the words are not those of its description", what)
	}
	if len(rest) != 4*s.count() {
		return nil, fmt.Errorf("%s: damaged: it has %d bytes of weights, want %d", what, len(rest), 4*s.count())
	}
	all := make([]float32, s.count())
	if _, err := numbers(what, rest, all); err != nil {
		return nil, err
	}
	return newModel(head.Card, head.Words, all)
}

// stateHead is the head of a training's file.
type stateHead struct {
	Options Options `json:"options"`
	Corpus  string  `json:"corpus"`
	Table   string  `json:"table"`
	Marks   marks   `json:"marks"`
}

func (t *trainer) head() stateHead {
	h := stateHead{Options: t.options, Corpus: t.card.Corpus.SHA256, Marks: t.marks}
	if t.card.Table != nil {
		h.Table = t.card.Table.SHA256
	}
	return h
}

func (t *trainer) save() error {
	if t.lesson.Save == nil {
		return nil
	}
	return t.lesson.Save(pack(stateMagic, t.head(), t.weights, t.best, t.adam.mean, t.adam.square))
}

// restore continues from a state of the same texts, table and options.
func (t *trainer) restore(data []byte) error {
	const what = "training state"
	var head stateHead
	rest, err := unpack(what, stateMagic, data, &head)
	if err != nil {
		return err
	}
	same := t.head()
	same.Marks = head.Marks
	if head != same {
		return fmt.Errorf("%s: it was saved with another corpus, another table or other options", what)
	}
	for _, a := range [][]float32{t.weights, t.best, t.adam.mean, t.adam.square} {
		if rest, err = numbers(what, rest, a); err != nil {
			return err
		}
	}
	t.marks, t.adam.steps = head.Marks, head.Marks.Steps
	return nil
}
