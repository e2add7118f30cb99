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
	"github.com/sotto-dp/sotto/internal/simd/dot"
	"github.com/sotto-dp/sotto/internal/simd/hamming"
	"github.com/sotto-dp/sotto/noise"
)

// MaxBits is the largest number of bits of a code.
const MaxBits = 4096

// Codes are the binary codes of a table's words, of a fixed number of bits. They are
// immutable and safe for concurrent use.
type Codes struct {
	bits, words int      // words of 64 bits per code
	rows        []uint64 // one code after the other; bits beyond the last are 0
	search      *hamming.Codes
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
	stride := dot.Padded(dim)
	directions := make([]int8, bits*stride)
	src, v := noise.Seeded(seed, stream), make([]float64, dim)
	for j := range bits {
		for k := range v {
			v[k] = noise.Normal(src)
		}
		int8grid.Append(directions[j*stride:j*stride], v)
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
		middle[j] = along(directions[j*stride:], sum)
	}
	err := parallel.IDs(ctx, 0, n, 64, func(xs []embedding.ID) {
		var steps []int64
		short := make([]int8, stride)
		for _, x := range xs {
			steps = table.Steps(steps[:0], x)
			row, fit := c.Row(x), narrow(short, steps)
			for j := range bits {
				var product int64
				if direction := directions[j*stride:][:stride]; fit {
					product = int64(dot.Int8(short, direction))
				} else {
					product = along(direction, steps)
				}
				if product*int64(n) >= middle[j] {
					row[j/64] |= 1 << (j % 64)
				}
			}
		}
	})
	c.search = hamming.New(c.rows, c.words)
	return c, err
}

// narrow writes a vector to dst if its components are within -127 to 127.
func narrow(dst []int8, v []int64) bool {
	for k, x := range v {
		if x < -int8grid.Largest || x > int8grid.Largest {
			return false
		}
		dst[k] = int8(x)
	}
	return true
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

// AtOnce is the number of codes whose nearest ones are best found together.
const AtOnce = 32

// Diameter returns the largest distance of two codes: what is farthest from a code is nearest
// to its complement.
func (c *Codes) Diameter(ctx context.Context) (most int, err error) {
	var mu sync.Mutex
	err = parallel.IDs(ctx, 0, c.Len(), AtOnce, func(xs []embedding.ID) {
		var complements []uint64
		for _, x := range xs {
			for i, w := range c.Row(x) {
				complements = append(complements, ^w&c.used(i))
			}
		}
		far := 0
		for _, f := range c.search.Nearest(nil, complements) {
			far = max(far, c.bits-f.Differ)
		}
		mu.Lock()
		most = max(most, far)
		mu.Unlock()
	})
	return most, err
}

// used returns the bits of a word of a code that are used.
func (c *Codes) used(word int) uint64 {
	if left := c.bits - 64*word; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// differ returns the distance of a code from the first of a list.
func differ(code, list []uint64) (d int) {
	list = list[:len(code)]
	for i, w := range code {
		d += bits.OnesCount64(w ^ list[i])
	}
	return d
}

// Nearest appends to dst the words whose codes are nearest to some codes, which stand one after
// the other; ties go to the lowest index. Its time depends on the number of codes alone.
func (c *Codes) Nearest(dst []embedding.ID, codes []uint64) []embedding.ID {
	var buffer [AtOnce]hamming.Found
	for _, f := range c.search.Nearest(buffer[:0], codes) {
		dst = append(dst, embedding.ID(f.At))
	}
	return dst
}
