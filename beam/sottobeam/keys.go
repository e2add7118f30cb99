package sottobeam

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"hash/fnv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// element is an element on its way to the worker that charges for it.
type element struct {
	Key  string
	Own  bool // the element has its own key
	Data []byte
}

// shards is the number of groups of elements, and so a bound on parallelism.
const shards = 256

// keyFn gives each element its key and its group.
type keyFn struct {
	Fields []string
	Type   beam.EncodedType

	fields *fields
	enc    beam.ElementEncoder
}

func (f *keyFn) Setup() (err error) {
	f.fields, err = fieldsOf(f.Type.T, f.Fields)
	f.enc = beam.NewElementEncoder(f.Type.T)
	return err
}

func (f *keyFn) ProcessElement(x beam.X, emit func(int64, element)) error {
	var data bytes.Buffer
	if err := f.enc.Encode(x, &data); err != nil {
		return errors.New("sottobeam: an element cannot be encoded")
	}
	key, own := f.fields.keyOf(x)
	if !own {
		key = rand.Text()
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	emit(int64(h.Sum32()%shards), element{key, own, data.Bytes()})
	return nil
}

// keys is a set of keys. It keeps digests, which are shorter than many keys are.
type keys map[[16]byte]struct{}

// add reports whether a key is new.
func (k keys) add(key string) bool {
	sum := sha256.Sum256([]byte(key))
	digest := [16]byte(sum[:16])
	_, there := k[digest]
	k[digest] = struct{}{}
	return !there
}
