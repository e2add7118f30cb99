//go:build !amd64

package dot

// Int8x4 computes four rows of x against n rows of y: see int8x4.
func Int8x4(dst []int32, x []int16, y []int8, n, stride int) { int8x4(dst, x, y, n, stride) }

// Int8 is the inner product of two padded rows of equal length.
func Int8(x, y []int8) int32 { return int8x1(x, y) }

// FastBlocks tells whether Blocks has a vector kernel here.
func FastBlocks() bool { return false }

func squares8(dst []uint32, x []int8, y []uint8, norms, bias []int32, blocks, quads, width int) {
	squares8Go(dst, x, y, norms, bias, blocks, quads, width)
}
