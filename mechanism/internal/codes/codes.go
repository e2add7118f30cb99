// Package codes assigns binary codes to the words of a table, randomises their bits, and
// finds the nearest code.
package codes

import (
	"context"
	"math/bits"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/parallel"
	"github.com/sotto-dp/sotto/noise"
)

// MaxBits is the largest number of bits of a code.
const MaxBits = 4096

// Codes are the binary codes of a table's words, of a fixed number of bits. They are
// immutable and safe for concurrent use.
type Codes struct {
	bits, words int      // words of 64 bits per code
	rows        []uint64 // one code after the other; bits beyond the last are 0
}

// stream is the stream of the public seed that directions are drawn from.
const stream = 1<<63 + 1

// New returns the codes of a table: bit j of word x is 1 if x minus the mean of the table
// has a positive inner product with direction j. Directions are uniform, drawn from a
// public seed. Directions and table are rounded to integers, so the bits are the same on
// every machine.
func New(ctx context.Context, table *embedding.Table, bits int, seed uint64) (*Codes, error) {
	n, dim := table.Len(), table.Dim()
	c := &Codes{bits: bits, words: (bits + 63) / 64}
	c.rows = make([]uint64, n*c.words)
	directions := make([]int8, 0, bits*dim)
	src, v := noise.Seeded(seed, stream), make([]float64, dim)
	for range bits {
		for k := range v {
			v[k] = noise.Normal(src)
		}
		directions = int8grid.Append(directions, v)
	}
	sum := make([]int64, dim)
	var steps []int64
	for x := range n {
		steps = table.Steps(steps[:0], embedding.ID(x))
		for k, s := range steps {
			sum[k] += s
		}
	}
	// Components have at most 2^gridBits steps, so that the products below stay under
	// 2^(26 + 7 + 12) for each word of the table.
	middle := make([]int64, bits)
	for j := range middle {
		middle[j] = along(directions[j*dim:], sum)
	}
	err := parallel.IDs(ctx, 0, n, 64, func(xs []embedding.ID) {
		var steps []int64
		for _, x := range xs {
			steps = table.Steps(steps[:0], x)
			row := c.Row(x)
			for j := range bits {
				if along(directions[j*dim:], steps)*int64(n) >= middle[j] {
					row[j/64] |= 1 << (j % 64)
				}
			}
		}
	})
	return c, err
}

// along returns the inner product of a direction with a vector.
func along(direction []int8, v []int64) (sum int64) {
	direction = direction[:len(v)]
	for k, x := range v {
		sum += x * int64(direction[k])
	}
	return sum
}

// Len returns the number of codes.
func (c *Codes) Len() int { return len(c.rows) / c.words }

// Words returns the length of a code in words of 64 bits.
func (c *Codes) Words() int { return c.words }

// Row returns the code of a word, which is not to be changed.
func (c *Codes) Row(x embedding.ID) []uint64 { return c.rows[int(x)*c.words:][:c.words:c.words] }

// Distance returns the number of bits in which the codes of two words differ.
func (c *Codes) Distance(x, y embedding.ID) int { return differ(c.Row(x), c.Row(y)) }

// Diameter returns the largest distance of two codes.
func (c *Codes) Diameter(ctx context.Context) (most int, err error) {
	var mu sync.Mutex
	err = parallel.IDs(ctx, 0, c.Len(), 64, func(xs []embedding.ID) {
		far := 0
		for _, x := range xs {
			far = max(far, c.farthest(x))
		}
		mu.Lock()
		most = max(most, far)
		mu.Unlock()
	})
	return most, err
}

// farthest returns the largest distance of the code of x to an earlier one.
func (c *Codes) farthest(x embedding.ID) (most int) {
	row, list := c.Row(x), c.rows[:int(x)*c.words]
	if c.words == 4 {
		code := [4]uint64(row)
		for i := 0; i+4 <= len(list); i += 4 {
			most = max(most, differ4(&code, (*[4]uint64)(list[i:])))
		}
		return most
	}
	for i := 0; i < len(list); i += c.words {
		most = max(most, differ(row, list[i:]))
	}
	return most
}

// differ returns the distance of a code from the first of a list.
func differ(code, list []uint64) (d int) {
	list = list[:len(code)]
	for i, w := range code {
		d += bits.OnesCount64(w ^ list[i])
	}
	return d
}

// differ4 is differ for codes of 4 words.
func differ4(a, b *[4]uint64) int {
	return bits.OnesCount64(a[0]^b[0]) + bits.OnesCount64(a[1]^b[1]) + bits.OnesCount64(a[2]^b[2]) + bits.OnesCount64(a[3]^b[3])
}

// Nearest returns the word whose code is nearest to a code; ties go to the lowest index.
// Its time depends on that code alone.
func (c *Codes) Nearest(code []uint64) embedding.ID {
	best, at := c.bits+1, 0
	if c.words == 4 {
		fixed := [4]uint64(code)
		for i := 0; i+4 <= len(c.rows); i += 4 {
			if d := differ4(&fixed, (*[4]uint64)(c.rows[i:])); d < best {
				best, at = d, i
			}
		}
		return embedding.ID(at / 4)
	}
	for i := 0; i < len(c.rows); i += c.words {
		if d := differ(code, c.rows[i:]); d < best {
			best, at = d, i
		}
	}
	return embedding.ID(at / c.words)
}
