package learn

import (
	"context"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// Encoder computes the vector of a text by which a codebook is searched.
type Encoder interface {
	Dim() int
	Encode(dst []int8, text []byte) []int8
}

// Codebook is a Searcher with its texts.
type Codebook interface {
	Searcher
	Text(i int) string
}

// Features computes the features of texts: the codebook's vector, and the mean vector of
// the first words. The beginning of a text shows the kind of question, which vectors of
// whole texts lose. It is for one goroutine.
type Features struct {
	encoder Encoder
	table   *embedding.Table
	words   *tokenize.Tokenizer
	vector  []int8
	ids     []embedding.ID
}

// firstWords is the number of words at the start of a text that have separate features.
const firstWords = 2

// NewFeatures returns the features of an encoder and a table of word vectors, which may
// be nil.
func NewFeatures(e Encoder, table *embedding.Table) *Features {
	f := &Features{encoder: e, table: table}
	if table != nil {
		f.words = tokenize.NewTokenizer(table)
	}
	return f
}

// Dim returns the number of features.
func (f *Features) Dim() int {
	if f.table == nil {
		return f.encoder.Dim()
	}
	return f.encoder.Dim() + f.table.Dim()
}

// Blocks returns where the features of the vector and of the first words begin, for Data.
func (f *Features) Blocks() []int {
	if f.table == nil {
		return []int{0}
	}
	return []int{0, f.encoder.Dim()}
}

// Append appends the features of a text to dst.
func (f *Features) Append(dst []float32, text []byte) []float32 {
	f.vector = f.encoder.Encode(f.vector[:0], text)
	return f.appendWords(grid(dst, f.vector), text)
}

// AppendText appends the features of text i of a codebook to dst.
func (f *Features) AppendText(dst []float32, c Codebook, i int) []float32 {
	f.vector = c.Vector(f.vector[:0], i)
	dst = grid(dst, f.vector)
	if f.table == nil {
		return dst
	}
	return f.appendWords(dst, []byte(c.Text(i)))
}

// AppendSmooth appends the mean of the features of the n codebook texts nearest to a
// text.
func (f *Features) AppendSmooth(dst []float32, c Codebook, text []byte, n int) ([]float32, error) {
	near, err := c.Nearest(nil, f.encoder.Encode(nil, text), n)
	if err != nil {
		return dst, err
	}
	at := len(dst)
	dst = append(dst, make([]float32, f.Dim())...)
	var own []float32
	for _, z := range near {
		own = f.AppendText(own[:0], c, int(z))
		for k, x := range own {
			dst[at+k] += x / float32(n)
		}
	}
	return dst, nil
}

func grid(dst []float32, vector []int8) []float32 {
	for _, x := range vector {
		dst = append(dst, float32(x))
	}
	return dst
}

// maxFirst bounds the prefix of a text that is read for its first words, in bytes.
const maxFirst = 4096

func (f *Features) appendWords(dst []float32, text []byte) []float32 {
	if f.table == nil {
		return dst
	}
	f.ids, _ = f.words.Tokenize(f.ids[:0], text[:min(len(text), maxFirst)])
	ids := f.ids[:min(len(f.ids), firstWords)]
	at := len(dst)
	dst = append(dst, make([]float32, f.table.Dim())...)
	var own []float32
	for _, id := range ids {
		own = f.table.Vector(own[:0], id)
		for k, x := range own {
			dst[at+k] += x / float32(len(ids))
		}
	}
	return dst
}

// Releases are released texts: indices into a codebook, with one class each.
type Releases struct {
	Codebook Codebook
	Channel  Channel
	Classes  []string
	Texts    []int
	Class    []int
	// Weights may be nil: then each weight is 1.
	Weights []float64
	// Cells, if not nil, means that only the cell of a release depends on private texts, as
	// in a synthetic corpus.
	Cells Cells
}

// Data returns the training data of releases for Fit, with origins. report may be nil.
func (r Releases) Data(ctx context.Context, f *Features, report progress.Func) (Data, error) {
	if r.Cells != nil {
		if err := r.checkCells(); err != nil {
			return Data{}, err
		}
		return r.inCells(ctx, f)
	}
	d := Data{Dim: f.Dim(), Blocks: f.Blocks(), Classes: r.Classes, Channel: r.Channel}
	places := map[int]int{}
	var released []int
	for i, z := range r.Texts {
		at, ok := places[z]
		if !ok {
			at = len(released)
			places[z] = at
			released = append(released, z)
		}
		weight := 1.0
		if r.Weights != nil {
			weight = r.Weights[i]
		}
		d.Examples = append(d.Examples, Example{at, r.Class[i], weight})
	}
	rows := released
	if !r.Channel.IsNone() {
		var err error
		if rows, d.Origins, err = FindOrigins(ctx, r.Codebook, r.Channel, released, report); err != nil {
			return Data{}, err
		}
	}
	for _, x := range rows {
		if err := ctx.Err(); err != nil {
			return Data{}, err
		}
		d.Features = f.AppendText(d.Features, r.Codebook, x)
	}
	return d, nil
}
