// Package inner computes inner products of int8 vectors exactly: every product
// and every sum fits an int32, so all kernels give the same numbers on every
// machine.
//
// Searched vectors are packed in blocks of 16: four components of each vector,
// then the next four. Components are stored plus 128, without a sign, because
// the AVX-512 VNNI instruction multiplies unsigned by signed bytes. A packed
// table is plain bytes, so a mapped file is searched in place.
package inner

import (
	"encoding/binary"
	"slices"
)

const (
	// Block is the number of vectors in a block.
	Block = 16
	// Group is the number of queries that a kernel takes at once.
	Group = 8
	// MaxDim keeps every sum, at most dim 255 127, and the correction for the
	// missing sign within an int32.
	MaxDim = 1 << 15
)

// zero is a component of value 0 as it is packed.
const zero = 128

// signs takes zero from each of four components, or adds it.
const signs = zero<<24 | zero<<16 | zero<<8 | zero

// Blocks returns the number of blocks that n vectors fill.
func Blocks(n int) int { return (n + Block - 1) / Block }

// BlockSize returns the size of a block of vectors of dim components, in bytes.
func BlockSize(dim int) int { return quads(dim) * 4 * Block }

func quads(dim int) int { return (dim + 3) / 4 }

// NewBlocks returns packed zero vectors, n of them.
func NewBlocks(n, dim int) []uint8 {
	data := make([]uint8, Blocks(n)*BlockSize(dim))
	for i := range data {
		data[i] = zero
	}
	return data
}

// Set packs vector i. Different vectors may be set by different goroutines.
func Set(data []uint8, i int, row []int8) {
	at := i/Block*BlockSize(len(row)) + i%Block*4
	for k, v := range row {
		data[at+k/4*4*Block+k%4] = uint8(int(v) + zero)
	}
}

// Get unpacks vector i into row.
func Get(row []int8, data []uint8, i int) {
	from := data[i/Block*BlockSize(len(row))+i%Block*4:]
	for len(row) >= 4 {
		word := binary.LittleEndian.Uint32(from) ^ signs
		row[0], row[1], row[2], row[3] = int8(word), int8(word>>8), int8(word>>16), int8(word>>24)
		row, from = row[4:], from[min(4*Block, len(from)):]
	}
	for k := range row {
		row[k] = int8(from[k] ^ zero)
	}
}

// Add adds sign times vector i to sums.
func Add(sums []int64, data []uint8, i int, sign int64) {
	from := data[i/Block*BlockSize(len(sums))+i%Block*4:]
	for len(sums) >= 4 {
		word, some := binary.LittleEndian.Uint32(from)^signs, (*[4]int64)(sums)
		some[0] += sign * int64(int8(word))
		some[1] += sign * int64(int8(word>>8))
		some[2] += sign * int64(int8(word>>16))
		some[3] += sign * int64(int8(word>>24))
		sums, from = sums[4:], from[min(4*Block, len(from)):]
	}
	for k := range sums {
		sums[k] += sign * int64(int8(from[k]^zero))
	}
}

// Copy copies vector from of one packed table to vector to of another with the same number
// of components.
func Copy(dst []uint8, to int, src []uint8, from, dim int) {
	dst = dst[to/Block*BlockSize(dim)+to%Block*4:]
	src = src[from/Block*BlockSize(dim)+from%Block*4:]
	for at := 0; at < BlockSize(dim); at += 4 * Block {
		copy(dst[at:at+4], src[at:at+4])
	}
}

// Rows are vectors that a table is searched for, in the order of their components.
type Rows struct {
	quads int
	words []uint32 // [row][quad]: four components
	bias  []int32
}

// Pack replaces the rows by those of dim components each.
func (p *Rows) Pack(rows []int8, dim int) {
	n := len(rows) / dim
	p.quads = quads(dim)
	p.words = slices.Grow(p.words[:0], n*p.quads)[:n*p.quads]
	clear(p.words)
	p.bias = p.bias[:0]
	for r := range n {
		sum, words := int32(0), p.words[r*p.quads:]
		for i, v := range rows[r*dim : (r+1)*dim] {
			sum += int32(v)
			words[i/4] |= uint32(uint8(v)) << (i % 4 * 8)
		}
		p.bias = append(p.bias, -zero*sum)
	}
}

// Queries are up to Group vectors that a table is searched for at once.
type Queries struct {
	quads  int
	narrow []uint8 // int8: [quad][row][4]; of room, or of Groups
	room   []uint8
	wide   []int16 // [pair of rows][quad][row of the pair][4], for one kernel
	widens bool    // wide is that of narrow
	bias   [Group]int32
	own    Rows
}

// Pack replaces the queries by rows of dim components, at most Group of them;
// the others are zero.
func (q *Queries) Pack(rows []int8, dim int) {
	q.own.Pack(rows, dim)
	var which [Group]uint32
	for r := range which {
		which[r] = uint32(r)
	}
	q.Take(&q.own, which[:len(rows)/dim])
}

// Take replaces the queries by some of the rows, at most Group of them; the others
// are zero.
func (q *Queries) Take(from *Rows, which []uint32) {
	q.clear(from.quads)
	for r := range Group {
		if r >= len(which) {
			q.bias[r] = 0
			for quad := range q.quads {
				binary.LittleEndian.PutUint32(q.narrow[quad*4*Group+4*r:], 0)
			}
			continue
		}
		q.bias[r] = from.bias[which[r]]
		for quad, word := range from.words[int(which[r])*q.quads:][:q.quads] {
			binary.LittleEndian.PutUint32(q.narrow[quad*4*Group+4*r:], word)
		}
	}
}

// clear makes room for other queries.
func (q *Queries) clear(quads int) {
	q.room = slices.Grow(q.room[:0], quads*4*Group)[:quads*4*Group]
	q.quads, q.narrow, q.widens = quads, q.room, false
}

// Groups are vectors as queries, Group after Group. They are read-only.
type Groups struct {
	quads  int
	narrow []uint8
	bias   [][Group]int32
}

// NewGroups returns some vectors of a packed table, of dim components, as queries.
func NewGroups(data []uint8, dim int, which []int) *Groups {
	g := &Groups{quads: quads(dim)}
	g.narrow = make([]uint8, 0, (len(which)+Group-1)/Group*Group*4*g.quads)
	var q Queries
	for some := range slices.Chunk(which, Group) {
		q.Load(data, dim, some)
		g.narrow, g.bias = append(g.narrow, q.narrow...), append(g.bias, q.bias)
	}
	return g
}

// Use replaces the queries by group i. It copies none.
func (q *Queries) Use(g *Groups, i int) {
	size := g.quads * 4 * Group
	q.quads, q.narrow, q.bias, q.widens = g.quads, g.narrow[i*size:(i+1)*size], g.bias[i], false
}

// Load replaces the queries by some vectors of a packed table, at most Group of them; the
// others are zero.
func (q *Queries) Load(data []uint8, dim int, which []int) {
	q.clear(quads(dim))
	if half(which) {
		q.loadHalf(data[which[0]/Block*BlockSize(dim)+which[0]%Block*4:])
		return
	}
	clear(q.narrow)
	q.bias = [Group]int32{}
	var from [Group]int
	for r, i := range which {
		from[r] = i/Block*BlockSize(dim) + i%Block*4
	}
	for start := 0; start < q.quads; start += sumQuads {
		var sums [Group]uint32
		end := min(start+sumQuads, q.quads)
		for quad := start; quad < end; quad++ {
			at, to := data[quad*4*Block:], q.narrow[quad*4*Group:][:4*Group]
			for r := range which {
				word := binary.LittleEndian.Uint32(at[from[r&(Group-1)]:])
				sums[r&(Group-1)] += word&0x00ff00ff + word>>8&0x00ff00ff
				binary.LittleEndian.PutUint32(to[r&(Group-1)*4:], word^signs)
			}
		}
		for r := range which {
			q.bias[r] -= biasOf(sums[r], end-start)
		}
	}
}

// sumQuads is how many sums of two components of a vector fit 16 bits.
const sumQuads = 64

// biasOf returns the bias of some quads of a vector, from the sums of its first two and last
// two components as they are packed.
func biasOf(sums uint32, quads int) int32 {
	return zero * (int32(sums&0xffff+sums>>16) - int32(quads)*4*zero)
}

// half reports whether some vectors are one half of a block.
func half(which []int) bool {
	if len(which) != Group || which[0]%Group != 0 {
		return false
	}
	for r, i := range which {
		if i != which[0]+r {
			return false
		}
	}
	return true
}

// loadHalf is Load for half a block, whose components lie together as those of queries do.
func (q *Queries) loadHalf(data []uint8) {
	const pairs = Group / 2 // of vectors, in 64 bits each
	q.bias = [Group]int32{}
	for start := 0; start < q.quads; start += sumQuads {
		var sums [pairs]uint64
		end := min(start+sumQuads, q.quads)
		for quad := start; quad < end; quad++ {
			from, to := data[quad*4*Block:][:4*Group], q.narrow[quad*4*Group:][:4*Group]
			for p := range pairs {
				words := binary.LittleEndian.Uint64(from[8*p:])
				sums[p] += words&0x00ff00ff00ff00ff + words>>8&0x00ff00ff00ff00ff
				binary.LittleEndian.PutUint64(to[8*p:], words^(signs<<32|signs))
			}
		}
		for r := range q.bias {
			q.bias[r] -= biasOf(uint32(sums[r/2]>>(r%2*32)), end-start)
		}
	}
}

// widen makes wide.
func (q *Queries) widen() {
	if q.widens {
		return
	}
	q.wide, q.widens = slices.Grow(q.wide[:0], len(q.narrow))[:len(q.narrow)], true
	for i, v := range q.narrow {
		quad, r := i/(4*Group), i/4%Group
		q.wide[((r/2*q.quads+quad)*2+r%2)*4+i%4] = int16(int8(v))
	}
}

// Scores computes the inner products of all queries with the vectors of whole
// blocks: of query r with vector w into dst[r*width+w]. Bit w%16 of
// over[w/16*Group+r] is set if it is greater than limit[r].
func (q *Queries) Scores(dst []int32, over []uint16, data []uint8, limit *[Group]int32, blocks, width int) {
	if blocks == 0 {
		return
	}
	// The kernels check no bounds.
	_, _, _ = dst[(Group-1)*width+blocks*Block-1], over[blocks*Group-1], data[blocks*q.quads*4*Block-1]
	scores(dst, over, q, data, limit, blocks, width)
}

// scoresGo is the specification of the kernels: see [Queries.Scores].
func scoresGo(dst []int32, over []uint16, q *Queries, data []uint8, limit *[Group]int32, blocks, width int) {
	for b := range blocks {
		block := data[b*q.quads*4*Block:][:q.quads*4*Block]
		for r := range Group {
			sums := [Block]int32{}
			for k := range q.quads {
				x := q.narrow[(k*Group+r)*4:][:4]
				x0, x1, x2, x3 := int32(int8(x[0])), int32(int8(x[1])), int32(int8(x[2])), int32(int8(x[3]))
				y := block[k*4*Block:][:4*Block]
				for w := range sums {
					sums[w] += x0*int32(y[4*w]) + x1*int32(y[4*w+1]) + x2*int32(y[4*w+2]) + x3*int32(y[4*w+3])
				}
			}
			mask := uint16(0)
			for w, s := range sums {
				s += q.bias[r]
				dst[r*width+b*Block+w] = s
				if s > limit[r] {
					mask |= 1 << w
				}
			}
			over[b*Group+r] = mask
		}
	}
}
