// Package squares computes squared distances of integer vectors that float32
// holds. All numbers are integers below 2^53, so every implementation gives the
// same results.
package squares

import "github.com/sotto-dp/sotto/internal/scratch"

// Table is a table of integers held in float32, packed for squared distances in
// float64: panels of a few words, one dimension after the other, or in halves.
type Table struct {
	kernel *kernel
	dim    int
	panels []float32
	halves []int16
	norms  []float64 // squared norms of the words, zero beyond the last
}

// kernel is one implementation.
type kernel struct {
	width  int // words in a panel
	tiles  []tile
	halved bool
}

// tile is a kernel for a fixed number of rows: see squaresGo, and for a kernel that is
// halved squaresOfHalves.
type tile struct {
	rows    int
	squares func(dst, x, own []float64, panels []float32, norms []float64, dim, count, width int)
	halved  func(dst []float64, x []int16, own []float64, panels []int16, norms []float64, pairs, count, width int)
}

var plain = kernel{width: 8, tiles: []tile{{rows: 1, squares: squaresGo}}}

// squaresGo is a tile of one row and panels of 8 words. For rows queries x (dim x rows) and count panels (each dim x words),
// dst[r*width+w] = own[r] + norms[w] - 2 sum over k of x[k][r] panels[k][w], all
// of it in whole numbers that float64 holds.
func squaresGo(dst, x, own []float64, panels []float32, norms []float64, dim, count, width int) {
	for p := range count {
		var sums [8]float64
		for k, v := range x[:dim] {
			for w, y := range panels[(p*dim+k)*8:][:8] {
				sums[w] += v * float64(y)
			}
		}
		for w, s := range sums {
			dst[p*8+w] = own[0] + norms[p*8+w] - 2*s
		}
	}
}

// Pack packs rows of dim components.
func Pack(rows []float32, dim int) *Table {
	t := New(dim, Largest(rows))
	words := len(rows) / dim
	t.Resize(words)
	for i := range words {
		t.Set(i, rows[i*dim:(i+1)*dim])
	}
	return t
}

// Largest returns the largest absolute value.
func Largest(rows []float32) (largest float32) {
	for _, v := range rows {
		largest = max(largest, v, -v)
	}
	return largest
}

// New returns a table without words, for components that are at most largest in size.
func New(dim int, largest float32) *Table { return &Table{kernel: machine(dim, largest), dim: dim} }

// Resize makes room for words. It discards what t held.
func (t *Table) Resize(words int) {
	whole := (words + t.kernel.width - 1) / t.kernel.width * t.kernel.width
	if whole <= len(t.norms) {
		return
	}
	t.norms = make([]float64, whole)
	if t.kernel.halved {
		t.halves = make([]int16, whole*4*pairs(t.dim))
	} else {
		t.panels = make([]float32, whole*t.dim)
	}
}

// Bytes returns the memory of a packed word of dim components, in bytes.
func Bytes(dim int) int { return 8*pairs(dim) + 8 }

// Set packs one word. Words may be set by different goroutines.
func (t *Table) Set(word int, row []float32) {
	k := t.kernel.width
	if t.kernel.halved {
		panel := t.halves[word/k*k*4*pairs(t.dim):]
		t.norms[word] = halve(panel, row, 2*(word%k), 4*k, 2*k)
		return
	}
	panel, norm := t.panels[word/k*k*t.dim+word%k:], 0.0
	for j, v := range row {
		panel[j*k] = v
		norm += float64(v) * float64(v)
	}
	t.norms[word] = norm
}

// Rows are words that squared distances are computed from.
type Rows struct {
	count  int
	x, own []float64
	halves []int16
	out    []float64
}

// Take replaces the rows by those of numbers xs among rows, which need not be packed.
// They are then for tables like t.
func (t *Table) Take(s *Rows, rows []float32, xs []int) {
	s.count, s.own = len(xs), scratch.Resize(s.own, len(xs))
	if t.kernel.halved {
		s.halves = scratch.Resize(s.halves, len(xs)*6*pairs(t.dim))
	} else {
		s.x = scratch.Resize(s.x, len(xs)*t.dim)
	}
	for at := 0; at < len(xs); {
		tall := t.kernel.tile(len(xs) - at).rows
		for r, x := range xs[at : at+tall] {
			row := rows[x*t.dim : (x+1)*t.dim]
			if t.kernel.halved {
				s.own[at+r] = halveRow(s.halves[at*6*pairs(t.dim):], row, r, tall)
				continue
			}
			packed, norm := s.x[at*t.dim+r:], 0.0
			for j, v := range row {
				v := float64(v)
				packed[j*tall] = v
				norm += v * v
			}
			s.own[at+r] = norm
		}
		at += tall
	}
}

// Panels per block: they stay in the L2 cache while every tile visits them.
const panels = 48

// Squares writes, for each of the rows, the squared distances to the words from
// (included) to to (excluded) into a row of dst; rows of dst are to-from apart.
func (t *Table) Squares(dst []float64, s *Rows, from, to int) {
	k, width := t.kernel, to-from
	for start := from / k.width; start*k.width < to; {
		// Whole panels go straight to dst; a partial one goes through a scratch.
		end := min(start+panels, to/k.width)
		low, high := start*k.width, end*k.width
		cut := low < from || end <= start
		if cut {
			end = start + 1
			low, high = max(from, start*k.width), min(to, end*k.width)
		}
		for at := 0; at < s.count; {
			tile := k.tile(s.count - at)
			out, stride := dst[at*width+low-from:], width
			if cut {
				s.out = scratch.Resize(s.out, tile.rows*k.width)
				out, stride = s.out, k.width
			}
			t.tile(tile, out, s, at, start, end-start, stride)
			for r := 0; cut && r < tile.rows; r++ {
				copy(dst[(at+r)*width+low-from:][:high-low], s.out[r*k.width+low-start*k.width:])
			}
			at += tile.rows
		}
		start = end
	}
}

// tile computes the squared distances from the rows at at to count panels.
func (t *Table) tile(tile tile, dst []float64, s *Rows, at, start, count, width int) {
	word := start * t.kernel.width
	if t.kernel.halved {
		each := pairs(t.dim)
		tile.halved(dst, s.halves[at*6*each:], s.own[at:], t.halves[word*4*each:], t.norms[word:], each, count, width)
		return
	}
	tile.squares(dst, s.x[at*t.dim:], s.own[at:], t.panels[word*t.dim:], t.norms[word:], t.dim, count, width)
}

// tile returns the tallest tile of at most rows rows.
func (k *kernel) tile(rows int) tile {
	for _, t := range k.tiles {
		if t.rows <= rows {
			return t
		}
	}
	return k.tiles[len(k.tiles)-1]
}
