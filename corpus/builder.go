package corpus

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Builder collects the records of a corpus. It is for one goroutine.
type Builder struct {
	options Options
	texts   []byte
	ends    []int
	record  []int // of each text
	source  Source
	seen    map[uint64][]int32 // texts by hash
	seed    maphash.Seed
}

// NewBuilder returns an empty builder.
func NewBuilder(o Options) (*Builder, error) {
	if o.Encoder == "" {
		o.Encoder = Joined
		if o.brought() {
			o.Encoder = Brought
		}
	}
	if o.Similar == 0 {
		o.Similar = DefaultSimilar
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return &Builder{options: o, seen: map[uint64][]int32{}, seed: maphash.MakeSeed()}, nil
}

// Add adds a record. Runs of white space and control characters become one space, so that
// every text is one line. A record that is not UTF-8 gives an error with its number.
func (b *Builder) Add(record []byte) error {
	b.source.Records++
	if !utf8.Valid(record) {
		return fmt.Errorf("corpus: record %d is not UTF-8", b.source.Records)
	}
	text := []byte(strings.Join(strings.FieldsFunc(string(record), separates), " "))
	if !b.options.Sentences {
		return b.add(text)
	}
	cut := sentences.FromBytes(text)
	for cut.Next() {
		if err := b.add(bytes.TrimSpace(cut.Value())); err != nil {
			return err
		}
	}
	if len(text) == 0 {
		return b.add(text)
	}
	return nil
}

// separates reports whether a character separates the words of a record: white space, and
// control characters, which break lines or change a terminal's state.
func separates(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func (b *Builder) add(text []byte) error {
	b.source.Candidates++
	if len(text) == 0 {
		b.source.Empty++
		return nil
	}
	if b.options.MaxChars > 0 && utf8.RuneCount(text) > b.options.MaxChars {
		b.source.Long++
		return nil
	}
	h := maphash.Bytes(b.seed, text)
	for _, i := range b.seen[h] {
		if bytes.Equal(b.text(int(i)), text) {
			b.source.Duplicates++
			return nil
		}
	}
	if len(b.ends) == math.MaxInt32 {
		return fmt.Errorf("corpus: more than %d texts", math.MaxInt32)
	}
	b.seen[h] = append(b.seen[h], int32(len(b.ends)))
	b.texts = append(b.texts, text...)
	b.ends = append(b.ends, len(b.texts))
	b.record = append(b.record, b.source.Records-1)
	return nil
}

func (b *Builder) text(i int) []byte {
	from := 0
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.texts[from:b.ends[i]]
}
