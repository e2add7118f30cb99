package learn

import (
	"context"
	"maps"
	"slices"

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

// Features computes the features of texts: the codebook's vector, the mean vector of the
// first words, and the terms of a vocabulary. The beginning of a text shows the kind of
// question, which vectors of whole texts lose. Terms tell what averages of vectors hide: which
// word a text has. It is for one goroutine.
type Features struct {
	encoder    Encoder
	table      *embedding.Table
	vocabulary *Vocabulary
	first      *tokenize.Tokenizer
	words      *words
	vector     []int8
	ids        []embedding.ID
	own        Row
}

// firstWords is the number of words at the start of a text that have separate features.
const firstWords = 2

// NewFeatures returns the features of an encoder, and those of a table of word vectors and a
// vocabulary, each of which may be nil.
func NewFeatures(e Encoder, table *embedding.Table, v *Vocabulary) *Features {
	f := &Features{encoder: e, table: table, vocabulary: v}
	if table != nil {
		f.first = tokenize.NewTokenizer(table)
	}
	if v != nil {
		f.words = newWords(table)
	}
	return f
}

// Dim returns the number of features that are not terms.
func (f *Features) Dim() int {
	if f.table == nil {
		return f.encoder.Dim()
	}
	return f.encoder.Dim() + f.table.Dim()
}

// NewData returns data without rows for these features.
func (f *Features) NewData(classes []string) Data {
	d := Data{Dim: f.Dim(), Blocks: []int{0}, Classes: classes, Vocabulary: f.vocabulary}
	if f.table != nil {
		d.Blocks = append(d.Blocks, f.encoder.Dim())
	}
	if f.vocabulary != nil {
		d.Terms = &Sparse{Cols: f.vocabulary.Size()}
	}
	return d
}

// Row returns the features of a text. They are valid until the next call.
func (f *Features) Row(text []byte) Row {
	f.vector = f.encoder.Encode(f.vector[:0], text)
	return f.row(text)
}

// TextRow is Row for text i of a codebook.
func (f *Features) TextRow(c Codebook, i int) Row {
	f.vector = c.Vector(f.vector[:0], i)
	if f.table == nil && f.vocabulary == nil {
		return f.row(nil)
	}
	return f.row([]byte(c.Text(i)))
}

// row returns the features of a text whose vector is known.
func (f *Features) row(text []byte) Row {
	f.own = Row{f.own.Features[:0], f.own.Terms[:0], f.own.Value[:0]}
	f.own.Features = f.appendWords(grid(f.own.Features, f.vector), text)
	if f.vocabulary != nil {
		f.vocabulary.row(&f.own, f.words, text)
	}
	return f.own
}

// SmoothRow returns the mean of the features of the n codebook texts nearest to a text.
func (f *Features) SmoothRow(c Codebook, text []byte, n int) (Row, error) {
	near, err := c.Nearest(nil, f.encoder.Encode(nil, text), n)
	if err != nil {
		return Row{}, err
	}
	mean := Row{Features: make([]float32, f.Dim())}
	terms := map[uint32]float32{}
	for _, z := range near {
		own := f.TextRow(c, int(z))
		for k, x := range own.Features {
			mean.Features[k] += x / float32(n)
		}
		for i, at := range own.Terms {
			terms[at] += own.Value[i] / float32(n)
		}
	}
	mean.Terms = slices.Sorted(maps.Keys(terms))
	for _, at := range mean.Terms {
		mean.Value = append(mean.Value, terms[at])
	}
	return mean, nil
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
	f.ids, _ = f.first.Tokenize(f.ids[:0], text[:min(len(text), maxFirst)])
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
	// Drawn has the same texts with the vectors by which they were drawn; nil for Codebook.
	Drawn   Searcher
	Channel Channel
	Classes []string
	Texts   []int
	Class   []int
	// Weights may be nil: then each weight is 1.
	Weights []float64
	// Cells, if not nil, means that only the cell of a release depends on private texts, as
	// in a synthetic corpus.
	Cells Cells
	// Along means that the cells are cut along the words of Options.Knowledge too. Epsilon is
	// then that of the release, and says how much of these the cells know.
	Along   bool
	Epsilon float64
}

// Data returns the training data of releases for Fit, with origins. report may be nil.
func (r Releases) Data(ctx context.Context, f *Features, report progress.Func) (Data, error) {
	if r.Cells != nil {
		if err := r.checkCells(); err != nil {
			return Data{}, err
		}
		return r.inCells(ctx, f)
	}
	d := f.NewData(r.Classes)
	d.Channel = r.Channel
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
		drawn, err := r.Drawn, error(nil)
		if drawn == nil {
			drawn = r.Codebook
		}
		if rows, d.Origins, err = FindOrigins(ctx, drawn, r.Channel, released, report); err != nil {
			return Data{}, err
		}
	}
	for _, x := range rows {
		if err := ctx.Err(); err != nil {
			return Data{}, err
		}
		d.Add(f.TextRow(r.Codebook, x))
	}
	return d, nil
}

// CodebookVocabulary is FitVocabulary for the texts of a codebook, which are public.
func CodebookVocabulary(table *embedding.Table, c Codebook) *Vocabulary {
	n := min(c.Len(), mostFitted)
	return FitVocabulary(table, n, func(i int) []byte { return []byte(c.Text(i * c.Len() / n)) })
}
