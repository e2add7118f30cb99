// Package blocks computes squared distances of int8 vectors to packed blocks of
// them. All numbers are integers, so the kernel and the loop give the same
// results.
package blocks

// Block is the number of words that a packed block holds, Group the number of
// rows computed at once.
const (
	Block = 16
	Group = 8
)

// Table is an int8 table packed for squared distances: words in blocks of 16,
// and in a block four components of every word, then the next four. Components
// are held plus 128, without sign.
type Table struct {
	quads int // components per word, in fours
	data  []uint8
	norms []int32 // squared norms of the words, zero beyond the last
}

// Pack packs rows of dim components, words of them.
func Pack(rows []int8, words, dim int) *Table {
	b := new(Table)
	b.Resize(words, dim)
	for i := range words {
		b.Set(i, rows[i*dim:(i+1)*dim])
	}
	return b
}

// Resize makes room for words of dim components, always the same dim. It discards
// what b held.
func (b *Table) Resize(words, dim int) {
	b.quads = (dim + 3) / 4
	blocks := (words + Block - 1) / Block
	if n := blocks * b.quads * 4 * Block; n > len(b.data) {
		b.data, b.norms = make([]uint8, n), make([]int32, blocks*Block)
		b.data[0] = 128
		for filled := 1; filled < n; filled *= 2 {
			copy(b.data[filled:], b.data[:filled])
		}
	}
}

// Set packs one word. Words may be set by different goroutines.
func (b *Table) Set(word int, row []int8) {
	at, norm := word/Block*b.quads*4*Block+word%Block*4, int32(0)
	for ; len(row) >= 4; row = row[4:] { // one quad
		quad := b.data[at : at+4 : at+4]
		v0, v1, v2, v3 := row[0], row[1], row[2], row[3]
		quad[0], quad[1], quad[2], quad[3] = uint8(v0)^128, uint8(v1)^128, uint8(v2)^128, uint8(v3)^128
		norm += int32(v0)*int32(v0) + int32(v1)*int32(v1) + int32(v2)*int32(v2) + int32(v3)*int32(v3)
		at += 4 * Block
	}
	for k, v := range row {
		b.data[at+k] = uint8(v) ^ 128
		norm += int32(v) * int32(v)
	}
	b.norms[word] = norm
}

// row unpacks one word.
func (b *Table) row(dst []int8, word int) {
	at := word / Block * b.quads * 4 * Block
	for k := range dst {
		dst[k] = int8(int(b.data[at+k/4*4*Block+word%Block*4+k%4]) - 128)
	}
}

// Rows holds up to [Group] words to compute distances from, packed or not. The zero
// value is empty.
type Rows struct {
	rows []int8
	bias [Group]int32
}

// Row returns the memory for the components of row r, which is followed by
// zeros. Call [Table.Ready] once all rows are written.
func (b *Table) Row(s *Rows, r int) []int8 {
	length := b.quads * 4
	if len(s.rows) != Group*length {
		s.rows = make([]int8, Group*length)
	}
	return s.rows[r*length : (r+1)*length]
}

// Ready prepares rows whose components have changed.
func (b *Table) Ready(s *Rows) {
	for r := range Group {
		sum, norm := int32(0), int32(0)
		for _, v := range b.Row(s, r) {
			sum += int32(v)
			norm += int32(v) * int32(v)
		}
		// |x-y|^2 = |x|^2 + |y|^2 - 2 (x.(y+128) - 128 sum x)
		s.bias[r] = norm + 256*sum
	}
}

// Take fills Rows with words of the table, up to Group.
func (b *Table) Take(s *Rows, xs []int) {
	for r, x := range xs {
		b.row(b.Row(s, r), x)
	}
	b.Ready(s)
}

// Squares writes the squared distances from each of the Group rows to the words of
// blocks [from, to) into rows of dst that are width elements apart. dst has room
// for Group rows of 16 (to-from) elements.
func (b *Table) Squares(dst []uint32, width int, s *Rows, from, to int) {
	squares(dst, s.rows, b.data[from*b.quads*4*Block:], b.norms[from*Block:], s.bias[:], to-from, b.quads, width)
}

// squaresGo writes, for rows r of x and the words of blocks of y, bias[r] + norm -
// 2 sum over k of x[r][k] y[k], modulo 2^32.
func squaresGo(dst []uint32, x []int8, y []uint8, norms, bias []int32, blocks, quads, width int) {
	length := quads * 4
	for b := range blocks {
		for w := range Block {
			for r := range Group {
				sum := int32(0)
				at := b * length * Block
				for k := 0; k < length; k += 4 {
					p, q := y[at+w*4:at+w*4+4], x[r*length+k:r*length+k+4]
					sum += int32(p[0])*int32(q[0]) + int32(p[1])*int32(q[1]) + int32(p[2])*int32(q[2]) + int32(p[3])*int32(q[3])
					at += 4 * Block
				}
				dst[r*width+b*Block+w] = uint32(bias[r] + norms[b*Block+w] - 2*sum)
			}
		}
	}
}
