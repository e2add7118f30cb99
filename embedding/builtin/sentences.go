package builtin

import (
	_ "embed"
	"sync"
	"unsafe"

	"github.com/sotto-dp/sotto/embedding"
)

//go:generate go run ./gen/sentences -vectors gen/sentences/words.f32 -o sentences.grid

// sentences holds the grid values of Sentences, row after row.
//
//go:embed sentences.grid
var sentences string

// SentencesName is the name of the embedded table of sentence vectors, and SentenceDim
// their dimensions.
const (
	SentencesName = "sentences"
	SentenceDim   = 200
)

// Sentences returns the embedded table whose vectors are for the means of whole texts: the
// words of English, with vectors in which a sentence encoder has a part. It is decoded once.
var Sentences = sync.OnceValues(func() (*embedding.Table, error) {
	words, _, step, _, err := decode(english)
	if err != nil {
		return nil, err
	}
	grid := unsafe.Slice((*int8)(unsafe.Pointer(unsafe.StringData(sentences))), len(sentences)) // nothing writes to them
	return embedding.NewNarrow(embedding.Narrow{Name: SentencesName, Words: words, Dim: SentenceDim, Step: step, Grid: grid, Unknown: "<unk>", Language: language})
})
