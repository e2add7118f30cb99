package unit

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
)

// Encoding is how whole texts get vectors like those of a public corpus.
type Encoding struct {
	Corpus  *corpus.Corpus
	Encoder *corpus.Encoder    // nil if the caller provides vectors
	Encode  corpus.TextEncoder // of the caller, who then provides texts; nil for none
	Probes  string             // of Encode: see corpus.Probes
}

// needs adds the vectors that come with texts.
func (e *Encoding) needs(n *release.Needs) {
	if e.Encoder != nil {
		return
	}
	n.Dimensions = e.Corpus.Dim()
	if e.Encode != nil {
		n.Encode = e.Encode
	}
}

// texts returns the number of texts.
func (e *Encoding) texts(t release.Texts) int {
	if e.Encoder == nil {
		return len(t.Vectors)
	}
	return len(t.Bytes)
}

// read appends the grid vector of each text, which it encodes alone, or of each vector of the
// caller's.
func (e *Encoding) read(dst []int8, t release.Texts) ([]int8, statement.Content) {
	var content statement.Content
	if e.Encoder == nil {
		for _, v := range t.Vectors {
			dst = corpus.Quantize(dst, v)
		}
		return dst, content
	}
	for _, one := range t.Bytes {
		var known corpus.Known
		dst, known = e.Encoder.EncodeKnown(dst, one)
		content.Add(statement.Content{UnknownTokens: known.Unknown, ReadTokens: known.Words})
	}
	return dst, content
}

// blank returns n empty texts.
func (e *Encoding) blank(n int) release.Texts {
	t := release.Texts{Bytes: make([][]byte, n)}
	if e.Encoder == nil {
		t.Vectors = make([][]float64, n)
		for i := range t.Vectors {
			t.Vectors[i] = make([]float64, e.Corpus.Dim())
		}
	}
	return t
}

// Vector returns the grid vector of one text.
func (e *Encoding) Vector(ctx context.Context, text []byte) ([]int8, error) {
	if e.Encoder != nil {
		return e.Encoder.Encode(nil, text), nil
	}
	if e.Encode == nil {
		return nil, release.ErrNeedsVectors
	}
	vectors, err := e.Encode.Vectors(ctx, [][]byte{text})
	if err != nil {
		return nil, err
	}
	return corpus.Quantize(nil, vectors[0]), nil
}
