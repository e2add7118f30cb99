package corpus

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
)

// Kind names an encoder.
type Kind string

// The encoders.
const (
	// SIF is the mean of the vectors of the text's words in a table, each weighted by
	// smooth inverse frequency, a/(a+f) (Arora, Liang and Ma 2017).
	SIF Kind = "sif"
	// LSA is latent semantic analysis fitted on the corpus (Deerwester et al. 1990). Its
	// terms are cut by Unicode's word boundaries (UAX 29).
	LSA Kind = "lsa"
	// Joined is the concatenation of SIF and LSA. If the table has rules of segmentation,
	// they cut the terms of LSA.
	Joined Kind = "sif+lsa"
	// Brought marks vectors provided by the caller, from an encoder that this package
	// does not have.
	Brought Kind = "vectors"
)

// Kinds lists the encoders that a Builder fits.
func Kinds() []Kind { return []Kind{SIF, LSA, Joined} }

// maxEncoded bounds the encoded prefix of a text, in bytes, so that sums fit 64 bits.
const maxEncoded = 64 << 20

// semanticShare is the weight of LSA relative to SIF. Of 0.6, 0.8 and 1 it was the best
// on the development texts of AG News (topics) and TREC (questions) together.
const semanticShare = 0.8

// part is one encoder. It returns raw, exact sums, and the zero vector for a text without
// known words.
type part interface {
	dim() int
	// read appends what the vector of a text is the sum of, and returns what it knew of its
	// words.
	read(dst []uint32, text []byte) ([]uint32, Known)
	// sum writes the vector of what was read into v.
	sum(v []float64, read []uint32)
}

// Encoder computes the vectors of texts on the grid of a corpus. It reads one text at a
// time. It is safe for concurrent use.
type Encoder struct {
	parts []part
	mean  []float64 // of the corpus's vectors, for each part
	dims  int
	pool  sync.Pool // of *encoding
}

// encoding is the memory for one text.
type encoding struct {
	read readings
	raw  []float64
}

// readings are what the parts of an encoder read of texts.
type readings struct {
	numbers []uint32
	ends    []int // of each part of each text
}

// of returns what was read the k-th time.
func (r *readings) of(k int) []uint32 {
	from := 0
	if k > 0 {
		from = r.ends[k-1]
	}
	return r.numbers[from:r.ends[k]]
}

func newEncoder(parts []part, mean []float64) *Encoder {
	e := &Encoder{parts: parts, mean: mean}
	for _, p := range parts {
		e.dims += p.dim()
	}
	if mean == nil {
		e.mean = make([]float64, e.dims)
	}
	e.pool.New = func() any { return &encoding{raw: make([]float64, e.dims)} }
	return e
}

// Dim returns the number of components of a vector.
func (e *Encoder) Dim() int { return e.dims }

// Mean returns the corpus's mean vector, which Encode subtracts. Each part of the
// averaged vectors has length 1.
func (e *Encoder) Mean() []float64 { return slices.Clone(e.mean) }

// Encode appends the grid vector of a text, Dim components, to dst. A text is any bytes.
// A text of more than 64 MiB is encoded by its first 64 MiB.
//
// Each part of the vector is scaled to length 1, the corpus's mean is subtracted, and the
// part is scaled again. The parts are concatenated and rounded to the grid.
func (e *Encoder) Encode(dst []int8, text []byte) []int8 {
	dst, _ = e.EncodeKnown(dst, text)
	return dst
}

// Known counts the words of a text. It is as private as the text.
type Known struct{ Words, Unknown int }

// EncodeKnown is Encode, and counts the words of the text of which the encoder knows nothing:
// those that its table lacks or, without a table, that its corpus does not have.
func (e *Encoder) EncodeKnown(dst []int8, text []byte) ([]int8, Known) {
	s := e.pool.Get().(*encoding)
	defer e.pool.Put(s)
	s.read.numbers, s.read.ends = s.read.numbers[:0], s.read.ends[:0]
	known := e.read(&s.read, text)
	e.raw(s.raw, &s.read, 0)
	if cap(s.read.numbers) > 1<<20 {
		s.read.numbers = nil
	}
	return e.finish(dst, s.raw), known
}

// read appends what the parts read of a text. It returns what the first part knew.
func (e *Encoder) read(to *readings, text []byte) (first Known) {
	text = text[:min(len(text), maxEncoded)]
	for i, p := range e.parts {
		var known Known
		if to.numbers, known = p.read(to.numbers, text); i == 0 {
			first = known
		}
		to.ends = append(to.ends, len(to.numbers))
	}
	return first
}

// raw writes the parts' vectors of text i of some that were read, each of length 1 or zero.
func (e *Encoder) raw(v []float64, from *readings, i int) {
	for k, p := range e.parts {
		own := v[:p.dim()]
		p.sum(own, from.of(i*len(e.parts)+k))
		normalise(own)
		v = v[p.dim():]
	}
}

// finish rounds raw vectors to the grid. It overwrites v.
func (e *Encoder) finish(dst []int8, v []float64) []int8 {
	at := 0
	for i, p := range e.parts {
		own, mean := v[at:at+p.dim()], e.mean[at:at+p.dim()]
		at += p.dim()
		if isZero(own) {
			continue
		}
		for k, x := range mean {
			own[k] -= x
		}
		if len(e.parts) == 1 {
			break // Quantize scales it
		}
		normalise(own)
		share := 1.0
		if i > 0 {
			share = semanticShare
		}
		if _, ok := p.(*aboutPart); ok {
			share = aboutShare
		}
		for k := range own {
			own[k] *= share
		}
	}
	return Quantize(dst, v[:e.dims])
}

func isZero(v []float64) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// TableError reports that a corpus's encoder needs a table of word vectors that is
// missing.
type TableError struct {
	Corpus       string // name of the corpus
	Name, SHA256 string // of the needed table
	Given        string // digest of the given table, empty for none
}

func (e *TableError) Error() string {
	fault := fmt.Sprintf("corpus: the encoder of %s needs the table %q with SHA-256 %.12s", e.Corpus, e.Name, e.SHA256)
	if e.Given != "" {
		fault += fmt.Sprintf(", got a table with %.12s", e.Given)
	}
	return fault
}

// checkTable refuses a table other than the one that the card describes. It compares the
// size too, because the file's weights and mean have the size that the card states.
func (c *Corpus) checkTable(t *embedding.Table) error {
	e := c.card.Encoder
	if digest := t.Digest(); digest != e.Table.SHA256 {
		return &TableError{c.Name(), e.Table.Name, e.Table.SHA256, digest}
	}
	if t.Len() != e.Table.Words || t.Dim() != e.Table.Dimensions {
		return fmt.Errorf("corpus: the file gives the encoder's table %d words of %d dimensions, but it has %d of %d: the file is forged",
			e.Table.Words, e.Table.Dimensions, t.Len(), t.Dim())
	}
	if e.Version == segmentedVersion && t.Segmentation() == nil {
		return fmt.Errorf("corpus: the file says that the encoder's table has rules of segmentation, but it has none: the file is forged")
	}
	return nil
}

// segmentedVersion is that of SIF+LSA with a table that has rules of segmentation. The
// terms of LSA are cut by these. Version 1 cuts them by UAX 29, with any table.
const segmentedVersion = 2
