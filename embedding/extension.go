package embedding

import (
	"encoding/binary"
	"io"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/embedding/subword"
)

// The extension of a table file has the counts of the words and the rules of segmentation:
// the number of counts (uint32, all words or 0), a count for each (uint64), and the rules
// as JSON, empty for English. In version 3 the rules are the tokenizer of a table of tokens,
// as package subword stores it. The digest of a table with an extension covers it.
const (
	extensionAt = 116 // in the header
	// mostExtension bounds what is read beyond the counts.
	mostExtension = 1 << 28
)

// extended reports whether the table has what version 1 of the format lacks.
func (t *Table) extended() bool { return t.counts != nil || t.rules != nil || t.subwords != nil }

// version returns that of the format that has all the table has.
func (t *Table) version() uint32 {
	switch {
	case t.subwords != nil:
		return fileVersion3
	case t.extended():
		return fileVersion2
	}
	return fileVersion
}

func (t *Table) extension() []byte {
	rules := t.rules.Marshal()
	if t.subwords != nil {
		rules = t.subwords.Marshal()
	}
	out := make([]byte, 0, 4+8*len(t.counts)+len(rules))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(t.counts)))
	for _, n := range t.counts {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	return append(out, rules...)
}

// extensionLength returns the bytes of the extension that a header states.
func extensionLength(h []byte) (int64, error) {
	version, words := binary.LittleEndian.Uint32(h[8:]), binary.LittleEndian.Uint32(h[16:])
	length := binary.LittleEndian.Uint64(h[extensionAt:])
	switch {
	case version == fileVersion && length == 0:
		return 0, nil
	case version < fileVersion || version > fileVersion3:
		return 0, fault("byte 8", "version %d of the format, want %d to %d: a newer program may have written the file, or import the vectors again", version, fileVersion, fileVersion3)
	case version == fileVersion || length < 4 || length > 4+8*uint64(words)+mostExtension:
		return 0, fault("byte 116", "the length of the extension is damaged")
	}
	return int64(length), nil
}

// readExtension reads an extension of some length; 0 means that there is none.
func (t *Table) readExtension(f io.Reader, length int64, version uint32) error {
	if length == 0 {
		return nil
	}
	data := make([]byte, length)
	if _, err := io.ReadFull(f, data); err != nil {
		return unexpected(err, "", "the extension")
	}
	n := int64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if n != 0 && n != int64(t.Len()) || int64(len(data)) < 8*n {
		return fault("", "the extension has %d counts for %d words: the file is damaged", n, t.Len())
	}
	for i := range n {
		t.counts = append(t.counts, int64(binary.LittleEndian.Uint64(data[8*i:])))
	}
	if err := t.checkCounts(); err != nil {
		return fault("", "%v", err)
	}
	data = data[8*n:]
	switch {
	case version == fileVersion3:
		words := make([]string, t.Len())
		for i, w := range t.words.All() {
			words[i] = w
		}
		tokens, err := subword.Parse(words, data)
		if err != nil {
			return fault("", "%v", err)
		}
		t.subwords = tokens
	case len(data) > 0:
		rules, err := segment.Parse(data)
		if err != nil {
			return fault("", "%v", err)
		}
		t.rules = rules
	}
	if !t.extended() || t.subwords != nil && t.counts != nil {
		return fault("", "the extension is not that of its version")
	}
	return nil
}

const fileVersion = 1

const fileVersion2 = 2

const fileVersion3 = 3
