package packing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/internal/weight"
)

// Bounds of the scale. A proposal multiplies a weight by the number of words:
// below 2^62. A floor of fewer bits costs too much, and one of more leaves the
// slack below the rounding of the exponential.
const (
	scaleAndWordsBits = 62
	mostFileFloorBits = 46
)

// check refuses figures that no channel has. What passes has rows of weights
// whose sums stay below 2^63: floors of at most 2^ScaleBits per word, and
// additions of at most 2^ScaleBits in all.
func (c *File) check() error {
	if err := c.checkHeader(); err != nil {
		return err
	}
	if err := c.checkBase(); err != nil {
		return err
	}
	return c.checkAdditions()
}

var errContradiction = errors.New("channel file: its figures contradict one another")

func (h *compiledHeader) checkHeader() error {
	if !(h.Epsilon > 0) || math.IsInf(h.Epsilon, 0) || !(h.T > 0) || h.T > h.Epsilon {
		return errContradiction
	}
	for _, v := range append([]float64{h.Value, h.Bound}, h.Known[:]...) {
		if !(v >= 0) || math.IsInf(v, 0) {
			return errContradiction
		}
	}
	for _, x := range h.Witness {
		if x >= h.Words {
			return errContradiction
		}
	}
	if h.FloorBits < weight.LeastFloorBits || h.FloorBits > min(h.ScaleBits, mostFileFloorBits) {
		return errContradiction
	}
	if most := scaleAndWordsBits - bits.Len32(h.Words); int64(h.ScaleBits) > int64(most) {
		return fmt.Errorf("channel file: its scale is 2^%d, want at most 2^%d for %d words", h.ScaleBits, most, h.Words)
	}
	return nil
}

// checkBase refuses a base measure outside [0, 1], or one without an output.
func (c *File) checkBase() error {
	outputs := 0
	for x := range c.Words {
		b := c.baseOf(x)
		if !(b >= 0 && b <= 1) {
			return errContradiction
		}
		if b > 0 {
			outputs++
		}
	}
	if outputs == 0 {
		return errors.New("channel file: no word is ever an output")
	}
	return nil
}

// checkAdditions refuses ranges that are not one after another, outputs that the
// base measure excludes, and rows that exceed the scale.
func (c *File) checkAdditions() error {
	last := uint32(0)
	for x := range c.Words + 1 {
		s := binary.LittleEndian.Uint32(c.starts[4*x:])
		if s < last || s > c.Additions {
			return errContradiction
		}
		last = s
	}
	if last != c.Additions {
		return errContradiction
	}
	for x := range c.Words {
		left := uint64(1) << c.ScaleBits
		for i, to := c.additionsOf(embedding.ID(x)); i < to; i++ {
			y, amount := c.addition(i)
			if uint32(y) >= c.Words || c.baseOf(uint32(y)) == 0 {
				return errContradiction
			}
			if amount > left {
				return fmt.Errorf("channel file: the additions of row %d exceed the scale of 2^%d", x+1, c.ScaleBits)
			}
			left -= amount
		}
	}
	return nil
}
