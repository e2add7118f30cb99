package corpus

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/klauspost/compress/zstd"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

//go:generate go run ./gen -wordnet /usr/share/wordnet -o .

// english is the compressed encoder mean, a float64 per dimension, followed by the texts,
// one per line.
//
//go:embed english.texts
var english string

// englishVectors holds the vectors in the form of a corpus file and is used in place,
// because computing them takes a tenth of a second.
//
//go:embed english.vectors
var englishVectors string

// EnglishName is the name of the embedded corpus.
const EnglishName = "english"

const englishTexts = 33_254

// EnglishDigest is the digest of the embedded corpus.
const EnglishDigest = "8f7556d706586203db8148dffc4c56f4dd09e3b8ba677619d62fd3e93b718834"

// English returns the embedded corpus: usage examples of WordNet 3.0, with the encoder
// SIF over the embedded table. PROVENANCE.md gives the source and what was left out. The
// corpus is made once.
var English = sync.OnceValues(makeEnglish)

func makeEnglish() (*Corpus, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	if len(english) < 8*table.Dim() {
		return nil, errors.New("corpus: the embedded corpus is damaged")
	}
	mean, packed := english[:8*table.Dim()], english[8*table.Dim():]
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	lines, err := reader.DecodeAll([]byte(packed), nil)
	if err != nil {
		return nil, fmt.Errorf("corpus: the embedded corpus is damaged: %w", err)
	}
	c := &Corpus{card: Card{Name: EnglishName, DeclaredPublic: true, Encoder: EncoderCard{Kind: SIF, Version: encoderVersion}}}
	offsets, texts := make([]byte, 8, 8*(englishTexts+1)), make([]byte, 0, len(lines))
	for line := range strings.Lines(string(lines)) {
		texts = append(texts, line[:len(line)-1]...)
		offsets = binary.LittleEndian.AppendUint64(offsets, uint64(len(texts)))
		c.card.Texts++
	}
	c.card.Source = Source{Records: c.card.Texts, Candidates: c.card.Texts}
	c.content[sectionOffsets], c.content[sectionTexts] = offsets, texts
	e := newEncoder([]part{c.useTable(table)}, floats([]byte(mean)))
	c.useEncoder(e)
	if len(englishVectors) != inner.Blocks(c.Len())*inner.BlockSize(c.Dim()) {
		return nil, errors.New("corpus: the embedded corpus is damaged")
	}
	c.content[sectionVectors] = unsafe.Slice(unsafe.StringData(englishVectors), len(englishVectors)) // nothing writes to them
	c.table = nearest.New(c.content[sectionVectors], c.Len(), c.Dim())
	if err := c.seal(); err != nil {
		return nil, err
	}
	if c.digest != EnglishDigest {
		return nil, fmt.Errorf("corpus: the embedded corpus must have the digest %.12s, got %.12s", EnglishDigest, c.digest)
	}
	c.lastRounds = sync.OnceValues(c.englishRounds)
	return c, nil
}
