package grid

import (
	"sync"

	"github.com/sotto-dp/sotto/internal/simd/blocks"
	"github.com/sotto-dp/sotto/internal/simd/dot"
	"github.com/sotto-dp/sotto/internal/simd/squares"
)

// pack makes v.packed.
func (v *Vectors) pack() *packed {
	p := &v.packed
	p.once.Do(func() {
		switch {
		case v.narrow == nil:
			p.wide = squares.Pack(v.wide, v.dim)
			p.done.Store(true)
		case blocks.Fast():
			p.blocks = blocks.Pack(v.narrow, v.n, v.dim)
		}
	})
	return p
}

// padded makes v.rows.
func (v *Vectors) padded() *lazyRows {
	p := &v.rows
	p.once.Do(func() {
		p.stride = dot.Padded(v.dim)
		p.narrow = pad(v.narrow, v.n, v.dim, p.stride)
		p.norms = make([]int32, v.n)
		for i := range p.norms {
			for _, c := range v.narrow[i*v.dim : (i+1)*v.dim] {
				p.norms[i] += int32(c) * int32(c)
			}
		}
	})
	return p
}

// pad copies rows of dim elements to rows of stride elements, or returns them
// unchanged if the two are equal.
func pad[T any](rows []T, n, dim, stride int) []T {
	if dim == stride {
		return rows
	}
	out := make([]T, n*stride)
	for i := range n {
		copy(out[i*stride:], rows[i*dim:(i+1)*dim])
	}
	return out
}

// Columns per call: their rows and products stay in the L1 cache.
const columnBlock = 256

// SquaredDistances writes, for each x of xs in turn, the squared distances from
// vector x to the vectors in [from, to), in steps squared: exact integers below
// 2^53. dst has len(xs)*(to-from) elements.
func SquaredDistances[I ~uint32](v *Vectors, dst []float64, xs []I, from, to int) {
	if v.narrow != nil {
		squaredDistances(v, dst, xs, from, to)
		return
	}
	// For a few rows, packing costs more than it saves.
	const few = 16
	if p := &v.packed; len(xs) == 1 && !p.done.Load() && p.single.Add(1) <= few {
		for y := from; y < to; y++ {
			dst[y-from] = SquaredDistance(v, int(xs[0]), y)
		}
		return
	}
	wideSquares(v.pack().wide, v, dst, xs, from, to)
}

// wideSquares computes the squared distances to a range of packed vectors.
func wideSquares[I ~uint32](packed *squares.Table, v *Vectors, dst []float64, xs []I, from, to int) {
	s := wideScratches.Get().(*wideRows)
	defer wideScratches.Put(s)
	take(s, packed, v, xs)
	packed.Squares(dst, &s.rows, from, to)
}

// wideRows are vectors that squared distances are computed from.
type wideRows struct {
	which []int
	rows  squares.Rows
}

func take[I ~uint32](s *wideRows, packed *squares.Table, v *Vectors, xs []I) {
	s.which = s.which[:0]
	for _, x := range xs {
		s.which = append(s.which, int(x))
	}
	packed.Take(&s.rows, v.wide, s.which)
}

var wideScratches = sync.Pool{New: func() any { return new(wideRows) }}

// SquaredDistances32 is SquaredDistances with 32-bit results, for int8 vectors. It
// returns false, and writes nothing, for others.
func SquaredDistances32[I ~uint32](v *Vectors, dst []uint32, xs []I, from, to int) bool {
	if v.narrow == nil {
		return false
	}
	squaredDistances(v, dst, xs, from, to)
	return true
}

// squaredDistances computes |x|^2 + |y|^2 - 2 x.y in exact integers.
func squaredDistances[T uint32 | float64, I ~uint32](v *Vectors, dst []T, xs []I, from, to int) {
	if b := v.pack().blocks; b != nil {
		squaresByBlocks(b, dst, xs, from, to)
		return
	}
	p, width := v.padded(), to-from
	var products [4 * columnBlock]int32
	rows := make([]int16, 4*p.stride)
	for len(xs) > 0 {
		group := xs[:min(4, len(xs))]
		for r, x := range group {
			at := int(x) * p.stride
			for k, c := range p.narrow[at : at+p.stride] {
				rows[r*p.stride+k] = int16(c)
			}
		}
		for start := from; start < to; start += columnBlock {
			n := min(columnBlock, to-start)
			norms := p.norms[start : start+n]
			dot.Int8x4(products[:], rows, p.narrow[start*p.stride:], n, p.stride)
			for r, x := range group {
				own := p.norms[x]
				row := dst[r*width+start-from:][:n]
				for j := range row {
					row[j] = T(own + norms[j] - 2*products[4*j+r])
				}
			}
		}
		xs, dst = xs[len(group):], dst[len(group)*width:]
	}
}

// squaresByBlocks computes whole blocks into a scratch and copies the requested range.
// Whole blocks of a whole group need no copy in 32 bits.
func squaresByBlocks[T uint32 | float64, I ~uint32](b *blocks.Table, dst []T, xs []I, from, to int) {
	const columns = 64 // blocks at a time
	width := to - from
	scratch := scratches.Get().(*blockScratch)
	defer scratches.Put(scratch)
	for len(xs) > 0 {
		group := xs[:min(blocks.Group, len(xs))]
		rows := scratch.xs[:0]
		for _, x := range group {
			rows = append(rows, int(x))
		}
		b.Take(&scratch.rows, rows)
		start := from / blocks.Block
		if direct, ok := any(dst).([]uint32); ok && len(group) == blocks.Group && from%blocks.Block == 0 {
			b.Squares(direct, width, &scratch.rows, start, to/blocks.Block)
			start = to / blocks.Block
		}
		for ; start*blocks.Block < to; start += columns {
			end := min(start+columns, (to+blocks.Block-1)/blocks.Block)
			b.Squares(scratch.out[:], columns*blocks.Block, &scratch.rows, start, end)
			low, high := max(from, start*blocks.Block), min(to, end*blocks.Block)
			for r := range group {
				row := dst[r*width+low-from:][:high-low]
				from := scratch.out[r*columns*blocks.Block+low-start*blocks.Block:][:high-low]
				if same, ok := any(row).([]uint32); ok {
					copy(same, from)
					continue
				}
				for j, q := range from {
					row[j] = T(q)
				}
			}
		}
		xs, dst = xs[len(group):], dst[len(group)*width:]
	}
}

type blockScratch struct {
	xs   [blocks.Group]int
	out  [blocks.Group * 64 * blocks.Block]uint32
	rows blocks.Rows
}

var scratches = sync.Pool{New: func() any { return new(blockScratch) }}

// SquaredDistance returns the squared distance of two vectors in steps squared: an
// exact integer.
func SquaredDistance(v *Vectors, x, y int) float64 {
	if v.narrow != nil {
		p := v.padded()
		i, j := x*p.stride, y*p.stride
		return float64(p.norms[x]) + float64(p.norms[y]) - 2*float64(dot.Int8(p.narrow[i:i+p.stride], p.narrow[j:j+p.stride]))
	}
	a, b := v.wide[x*v.dim:][:v.dim], v.wide[y*v.dim:][:v.dim]
	var q, q1, q2, q3 float64 // whole numbers: any order gives the same sum
	for ; len(a) >= 4 && len(b) >= 4; a, b = a[4:], b[4:] {
		e, e1, e2, e3 := float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1]), float64(a[2])-float64(b[2]), float64(a[3])-float64(b[3])
		q += e * e
		q1 += e1 * e1
		q2 += e2 * e2
		q3 += e3 * e3
	}
	for k, c := range a {
		e := float64(c) - float64(b[k])
		q += e * e
	}
	return q + q1 + q2 + q3
}
