// Package tiles holds a large symmetric matrix of float32 as square tiles on and above the
// diagonal, and adds multiples of its rows. An entry takes four bytes for the two places
// that it has.
package tiles

// Side is the number of rows and columns of a tile. The rows of one line of tiles are a
// block.
const Side = 64

// Matrix is a symmetric matrix. Entries that were not set are zero.
type Matrix struct {
	blocks int
	tiles  [][Side * Side]float32 // line after line, each from the diagonal on
}

// New returns a matrix of at least n rows.
func New(n int) *Matrix {
	blocks := (n + Side - 1) / Side
	return &Matrix{blocks, make([][Side * Side]float32, blocks*(blocks+1)/2)}
}

// Blocks returns the number of blocks.
func (m *Matrix) Blocks() int { return m.blocks }

// Rows returns the number of rows, a multiple of Side.
func (m *Matrix) Rows() int { return m.blocks * Side }

// Tile returns the tile at block i and block j, at least i: entry (r, c) is at r*Side+c. That
// of i and i must be set to be symmetric.
func (m *Matrix) Tile(i, j int) *[Side * Side]float32 {
	return &m.tiles[i*m.blocks-i*(i-1)/2+j-i]
}

// At returns an entry.
func (m *Matrix) At(x, y int) float32 {
	x, y = min(x, y), max(x, y)
	return m.Tile(x/Side, y/Side)[x%Side*Side+y%Side]
}

// AddInside adds by times row r of block i to dst, in the columns of the block alone.
func (m *Matrix) AddInside(dst []float64, i, r int, by float64) {
	addRow((*[Side]float64)(dst[i*Side:]), (*[Side]float32)(m.Tile(i, i)[r*Side:]), by)
}

// AddOutside adds by[k] times row rows[k] of block i to dst, which is as long as a row, in
// the columns of the other blocks. To each it adds one product after the other, rounded, in
// the order of the rows.
func (m *Matrix) AddOutside(dst []float64, i int, rows []uint8, by []float64) {
	if len(rows) == 0 {
		return
	}
	for j := range i {
		addColumns((*[Side]float64)(dst[j*Side:]), m.Tile(j, i), rows, by)
	}
	for j := i + 1; j < m.blocks; j++ {
		addRows((*[Side]float64)(dst[j*Side:]), m.Tile(i, j), rows, by)
	}
}

func addRow(sums *[Side]float64, row *[Side]float32, by float64) {
	for c, v := range row {
		sums[c] += float64(by * float64(v))
	}
}

// addRows adds by[k] times row rows[k] of a tile. It takes four rows at once, so that sums are
// read and written once for them.
func addRows(sums *[Side]float64, tile *[Side * Side]float32, rows []uint8, by []float64) {
	row := func(k int) *[Side]float32 { return (*[Side]float32)(tile[int(rows[k])*Side:]) }
	k := 0
	for ; k+4 <= len(rows); k += 4 {
		x, y, z, w := by[k], by[k+1], by[k+2], by[k+3]
		a, b, c, d := row(k), row(k+1), row(k+2), row(k+3)
		for i, sum := range sums {
			sum += float64(x * float64(a[i]))
			sum += float64(y * float64(b[i]))
			sum += float64(z * float64(c[i]))
			sums[i] = sum + float64(w*float64(d[i]))
		}
	}
	for ; k < len(rows); k++ {
		addRow(sums, row(k), by[k])
	}
}

// addColumns adds by[k] times column columns[k] of a tile. It takes eight rows at once, whose
// sums do not wait for each other.
func addColumns(sums *[Side]float64, tile *[Side * Side]float32, columns []uint8, by []float64) {
	by = by[:len(columns)]
	for r := 0; r < Side; r += 8 {
		part, to := (*[8 * Side]float32)(tile[r*Side:]), (*[8]float64)(sums[r:])
		s0, s1, s2, s3, s4, s5, s6, s7 := to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]
		for k, column := range columns {
			x, at := by[k], int(column%Side)
			s0 += float64(x * float64(part[at]))
			s1 += float64(x * float64(part[at+Side]))
			s2 += float64(x * float64(part[at+2*Side]))
			s3 += float64(x * float64(part[at+3*Side]))
			s4 += float64(x * float64(part[at+4*Side]))
			s5 += float64(x * float64(part[at+5*Side]))
			s6 += float64(x * float64(part[at+6*Side]))
			s7 += float64(x * float64(part[at+7*Side]))
		}
		*to = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}
