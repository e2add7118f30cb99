package corpus

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/sotto-dp/sotto/corpus/internal/lsa"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/text/terms"
)

const (
	semanticDim   = 100
	maxTerms      = 50_000 // size of the vocabulary: the most frequent terms
	maxFitted     = 65_536 // texts on which the vectors are fitted, evenly spaced
	fewTexts      = 1000   // in a smaller corpus, terms that occur in one text only count too
	largestRow    = math.MaxInt16
	occurrenceOne = 1 << 10 // the square root of one occurrence
)

// semantic is the encoder LSA: it adds, per term, the square root of its occurrences
// times a row of the projection, which includes the inverse document frequency.
type semantic struct {
	index map[string]uint32
	terms []string
	rows  []int16 // terms x dims
	dims  int
	pool  sync.Pool // of *semanticScratch
}

type semanticScratch struct {
	read terms.Reader
	sums []int64
}

func newSemantic(terms []string, rows []int16, dims int, read func() terms.Reader) *semantic {
	s := &semantic{index: make(map[string]uint32, len(terms)), terms: terms, rows: rows, dims: dims}
	for i, t := range terms {
		s.index[t] = uint32(i)
	}
	s.pool.New = func() any { return &semanticScratch{read: read(), sums: make([]int64, dims)} }
	return s
}

func (m *semantic) dim() int { return m.dims }

func (m *semantic) read(dst []uint32, text []byte) ([]uint32, Known) {
	s := m.pool.Get().(*semanticScratch)
	defer m.pool.Put(s)
	return m.find(dst, s.read, text)
}

func (m *semantic) sum(v []float64, terms []uint32) {
	s := m.pool.Get().(*semanticScratch)
	defer m.pool.Put(s)
	clear(s.sums)
	eachRun(terms, func(id uint32, count int) {
		weight := occurrences(count)
		for k, x := range m.rows[int(id)*m.dims : (int(id)+1)*m.dims] {
			s.sums[k] += weight * int64(x)
		}
	})
	for k, x := range s.sums {
		v[k] = float64(x)
	}
}

// find appends the terms of a text, in ascending order, and counts them.
func (m *semantic) find(dst []uint32, read terms.Reader, text []byte) (found []uint32, known Known) {
	from := len(dst)
	read(text, func(term []byte) {
		known.Words++
		if id, ok := m.index[string(term)]; ok {
			dst = append(dst, id)
		} else {
			known.Unknown++
		}
	})
	slices.Sort(dst[from:])
	return dst, known
}

// occurrences returns the square root of a count, in units of 2^-10.
func occurrences(count int) int64 {
	return int64(math.Sqrt(float64(count)) * occurrenceOne)
}

// eachRun calls f with each distinct number of an ascending list and its count.
func eachRun(ids []uint32, f func(id uint32, count int)) {
	for i := 0; i < len(ids); {
		j := i + 1
		for j < len(ids) && ids[j] == ids[i] {
			j++
		}
		f(ids[i], j-i)
		i = j
	}
}

// fitSemantic fits the encoder on n texts, whose terms come from read.
func fitSemantic(ctx context.Context, n int, text func(i int) []byte, read func() terms.Reader, report progress.Func) (*semantic, error) {
	terms, frequency, err := vocabulary(ctx, n, text, read())
	if err != nil {
		return nil, err
	}
	m := newSemantic(terms, nil, 0, read)
	inverse := make([]float64, len(terms))
	for i, f := range frequency {
		inverse[i] = lsa.Log(float64(n+1) / float64(f))
	}
	fitted := min(n, maxFitted)
	matrix := &lsa.Matrix{Cols: len(terms), Starts: []int{0}}
	reader, ids := read(), []uint32(nil)
	for i := range fitted {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ids, _ = m.find(ids[:0], reader, text(i*n/fitted))
		from, square := len(matrix.Value), 0.0
		eachRun(ids, func(id uint32, count int) {
			v := float64(occurrences(count)) * inverse[id]
			square += float64(v * v)
			matrix.Col, matrix.Value = append(matrix.Col, id), append(matrix.Value, v)
		})
		length := math.Sqrt(square)
		for j := from; j < len(matrix.Value); j++ {
			matrix.Value[j] /= length
		}
		matrix.Starts = append(matrix.Starts, len(matrix.Value))
	}
	basis, err := lsa.Fit(ctx, matrix, semanticDim, report)
	if err != nil {
		return nil, err
	}
	return newSemantic(terms, quantizeRows(basis, inverse), basis.Dim, read), nil
}

// quantizeRows returns the projection onto the basis, scaled so that its largest number
// is 2^15-1.
func quantizeRows(b *lsa.Basis, inverse []float64) []int16 {
	most := 0.0
	for i, f := range inverse {
		for _, x := range b.Vectors[i*b.Dim : (i+1)*b.Dim] {
			most = max(most, math.Abs(float64(f*x)))
		}
	}
	rows := make([]int16, len(b.Vectors))
	for i := range rows {
		if most > 0 {
			rows[i] = int16(math.RoundToEven(float64(inverse[i/b.Dim]*b.Vectors[i]) / most * largestRow))
		}
	}
	return rows
}

// vocabulary returns the sorted terms of the texts, at most the maxTerms most frequent
// ones, and the number of texts in which each occurs.
func vocabulary(ctx context.Context, n int, text func(i int) []byte, read terms.Reader) (terms []string, frequency []int, err error) {
	type seen struct{ texts, last int }
	counts := map[string]*seen{}
	for i := range n {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		t := text(i)
		read(t[:min(len(t), maxEncoded)], func(term []byte) {
			c, ok := counts[string(term)]
			if !ok {
				c = &seen{0, -1}
				counts[string(bytes.Clone(term))] = c
			}
			if c.last != i {
				c.texts++
				c.last = i
			}
		})
	}
	least := 2
	if n < fewTexts {
		least = 1
	}
	for t, c := range counts {
		if c.texts >= least {
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b string) int {
		return cmp.Or(counts[b].texts-counts[a].texts, cmp.Compare(a, b))
	})
	terms = terms[:min(len(terms), maxTerms)]
	slices.Sort(terms)
	for _, t := range terms {
		frequency = append(frequency, counts[t].texts)
	}
	return terms, frequency, nil
}
