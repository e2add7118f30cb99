package vectors

import (
	"context"
	"encoding/binary"
	"math"

	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/internal/simd/rowops"
)

const (
	// smoothing is the power of the contexts' frequencies (Levy, Goldberg and Dagan
	// 2015).
	smoothing = 0.75
	// shift is subtracted from the information, in nats: the logarithm of the number of
	// negative samples of skip-gram.
	shift = 0.0
)

// information is the matrix of positive pointwise mutual information of counts: of word
// x and context y, with n the count of both and s the sum of a row,
//
//	max(0, ln n(x,y) - ln s(x) - ln(s(y)^smoothing / sum of s^smoothing) - shift).
//
// It is not symmetric. The counts are, so the transposed matrix has its entries in the
// same places.
type information struct {
	counts  *counts
	word    []float32 // -ln s(x)
	context []float32 // the terms of y
	logs    []float32 // of small counts
}

// logged is the number of counts whose logarithms are in an array.
const logged = 1 << 16

func newInformation(c *counts) *information {
	m := &information{counts: c, word: make([]float32, len(c.sums)), context: make([]float32, len(c.sums)), logs: make([]float32, logged)}
	total := 0.0
	for _, s := range c.sums {
		if s > 0 {
			total += math.Pow(float64(s), smoothing)
		}
	}
	for x, s := range c.sums {
		if s > 0 {
			l := math.Log(float64(s))
			m.word[x], m.context[x] = float32(-l), float32(math.Log(total)-smoothing*l-shift)
		}
	}
	for n := range m.logs {
		m.logs[n] = float32(math.Log(float64(n)))
	}
	return m
}

func (m *information) log(n uint64) float32 {
	if n < logged {
		return m.logs[n]
	}
	return float32(math.Log(float64(n)))
}

// rowsAtOnce is the number of rows that one goroutine takes.
const rowsAtOnce = 64

// times sets out to the matrix, or its transpose, times q. Both have one row of wide
// numbers for each word.
func (m *information) times(ctx context.Context, out, q []float32, wide int, transposed bool) error {
	row, column := m.word, m.context
	if transposed {
		row, column = m.context, m.word
	}
	c := m.counts
	return parallel.BlockedBy(ctx, len(c.list), rowsAtOnce, func() func(context.Context, int, int) error {
		var data []byte
		return func(_ context.Context, from, to int) error {
			if size := int(c.starts[to] - c.starts[from]); cap(data) < size {
				data = make([]byte, size)
			} else {
				data = data[:size]
			}
			if _, err := c.file.ReadAt(data, c.starts[from]); err != nil {
				return err
			}
			clear(out[from*wide : to*wide])
			rest := data
			for x := from; x < to; x++ {
				sum := out[x*wide:][:wide]
				entries, rest1 := number(rest)
				rest = rest1
				y := uint64(0)
				for range entries {
					var step, n uint64
					step, rest = number(rest)
					n, rest = number(rest)
					if y += step; y >= uint64(len(column)) {
						return errDamaged
					}
					if v := m.log(n) + row[x] + column[y]; v > 0 {
						rowops.Axpy(sum, v, q[int(y)*wide:][:wide])
					}
				}
			}
			return nil
		}
	})
}

// number reads a varint from the front of data, which was checked when the file was
// opened. It gives 0 where there is none.
func number(data []byte) (uint64, []byte) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), data[1:]
	}
	n, k := binary.Uvarint(data)
	return n, data[max(k, 0):]
}
