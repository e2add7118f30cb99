// Package maxima computes inner products of int8 vectors and keeps the greatest of every
// few, exactly: all numbers are integers below 2^31, so every implementation gives the
// same results.
//
// Vectors are searched in groups of 64. A query has one maximum per lane of a group, of
// four vectors. Groups are searched in spans of eight.
package maxima

const (
	// Group is the number of vectors in a group, Lanes the number of its maxima. Lane l
	// has the vectors 4l to 4l+3.
	Group = 64
	Lanes = 16
	// Span is the number of groups in a span.
	Span = 8
	// MaxDim keeps every sum, at most dim 255 128, and the correction for the missing
	// sign far below 2^30.
	MaxDim = 1 << 12
)

const (
	tile = 2 * Lanes // vectors, side by side
	zero = 128       // a component of value 0 as it is packed: VNNI multiplies unsigned by signed bytes
	// unused is below every maximum.
	unused = -1 << 30
)

// kernels is one implementation.
type kernels struct {
	tiles   []rows
	largest int8
	peaks   func(best *[Lanes]float32, at *[Lanes]int32, peaks, maxima []int32, shift int32, scales, offsets []float32)
	over    func(masks []uint16, peaks, limits []int32)
	fours   func(dst []int32, x, y []int8, at []int32)
}

// rows is a kernel for a fixed number of queries; see maximaGo.
type rows struct {
	n      int
	maxima func(dst []int32, x []uint8, y []uint8, groups, quads, stride int)
}

// Largest returns the largest absolute value that a component of a query may have. Without
// VNNI it is smaller, so that the sum of two products fits an int16.
func Largest() int8 { return machine().largest }

// quadsOf returns the number of quads, of four components, of a vector.
func quadsOf(dim int) int { return (dim + 3) / 4 }

// Table is a table of vectors of int8, packed.
type Table struct {
	quads, groups int
	data          []uint8 // [tile][quad][vector of the tile][4], plus 128
}

// NewTable returns a table of n zero vectors of dim components, at most MaxDim.
func NewTable(n, dim int) *Table {
	t := &Table{quads: quadsOf(dim), groups: (n + Group - 1) / Group}
	t.data = make([]uint8, t.groups*Group*t.quads*4)
	for i := range t.data {
		t.data[i] = zero
	}
	return t
}

// Set packs vector i. Different vectors may be set by different goroutines.
func (t *Table) Set(i int, row []int8) {
	position := i/Group*Group + i%4*Lanes + i%Group/4 // the vectors of a lane are Lanes apart
	out := t.data[(position/tile*t.quads*tile+position%tile)*4:]
	for len(row) > 0 {
		n := min(4, len(row))
		for k, v := range row[:n] {
			out[k] = uint8(v) + zero
		}
		row, out = row[n:], out[min(4*tile, len(out)):]
	}
}

// Groups returns the number of groups, Spans that of spans; the last may be partial.
func (t *Table) Groups() int { return t.groups }
func (t *Table) Spans() int  { return (t.groups + Span - 1) / Span }

// Stride returns the number of maxima per query, those of whole spans.
func (t *Table) Stride() int { return t.Spans() * Span * Lanes }
