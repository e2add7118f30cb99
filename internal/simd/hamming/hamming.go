// Package hamming finds the binary code that differs in the fewest bits from a given one. It
// only counts bits, so every implementation gives the same code.
package hamming

import (
	"math/bits"
	"slices"
)

// lanes is the number of codes of a block.
const lanes = 8

// Codes are some codes of a fixed number of words of 64 bits each.
type Codes struct {
	rows   []uint64 // one code after the other
	blocks []uint64 // of the codes that fill blocks: word w of the lanes codes of a block stand together
	words  int
}

// New arranges codes, which are rows one after the other and must not change.
func New(rows []uint64, words int) *Codes {
	block := lanes * words
	c := &Codes{rows, make([]uint64, len(rows)/block*block), words}
	for at := range c.blocks {
		code, word := at/block*lanes+at%lanes, at%block/lanes
		c.blocks[at] = rows[code*words+word]
	}
	return c
}

// Found is a code of Codes.
type Found struct {
	At     int // its number
	Differ int // bits in which it differs from the code that was asked for
}

// atOnce is the number of words of blocks that are compared with one code after the other: they
// stay in the first cache.
const atOnce = 3072

// Nearest appends to dst for each of some codes, one after the other, the one that differs in
// the fewest bits from it, the first of several. There is at least one to find.
func (c *Codes) Nearest(dst []Found, codes []uint64) []Found {
	block, from := lanes*c.words, len(dst)
	blocks := len(c.blocks) / block
	if !haveKernel() {
		blocks = 0
	}
	for code := range slices.Chunk(codes, c.words) {
		dst = append(dst, found(nearestGo(code, c.rows[blocks*block:], blocks*lanes)))
	}
	for some := max(1, atOnce/block); blocks > 0; {
		some = min(some, blocks)
		blocks -= some // from the last on, so that the first of several is found last
		for i := range dst[from:] {
			f := found(nearest(codes[i*c.words:(i+1)*c.words], c.blocks[blocks*block:], some))
			if f.At += blocks * lanes; f.Differ <= dst[from+i].Differ {
				dst[from+i] = f
			}
		}
	}
	return dst
}

// found reads differ<<32 + at, of no code if none was read.
func found(best uint64) Found { return Found{int(best & (1<<32 - 1)), int(best >> 32)} }

// nearestGo returns the least of differ<<32 + at over the codes in rows, the first of which is
// code number first.
func nearestGo(code, rows []uint64, first int) uint64 {
	best, number := ^uint64(0), uint64(first)
	if len(code) == 4 {
		code := (*[4]uint64)(code)
		for ; len(rows) >= 4; rows = rows[4:] {
			row := (*[4]uint64)(rows)
			n := bits.OnesCount64(code[0]^row[0]) + bits.OnesCount64(code[1]^row[1]) + bits.OnesCount64(code[2]^row[2]) + bits.OnesCount64(code[3]^row[3])
			best = min(best, uint64(n)<<32|number)
			number++
		}
		return best
	}
	for ; len(rows) > 0; rows = rows[len(code):] {
		n := 0
		for i, w := range code {
			n += bits.OnesCount64(w ^ rows[i])
		}
		best = min(best, uint64(n)<<32|number)
		number++
	}
	return best
}
