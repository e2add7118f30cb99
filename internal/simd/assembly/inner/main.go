// Command inner writes the assembly of package inner: inner products of int8
// queries with blocks of 16 vectors, and which of them are above a limit.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const rows = 8

func main() {
	ConstraintExpr("amd64")
	vnni()
	avx2()
	Generate()
}

// pointers are the arguments of either kernel.
type pointers struct {
	dst, over, x, y, bias, limit, blocks, quads, width reg.Register
}

func load() pointers {
	p := pointers{
		dst: Load(Param("dst"), GP64()), over: Load(Param("over"), GP64()),
		x: Load(Param("x"), GP64()), y: Load(Param("y"), GP64()),
		bias: Load(Param("bias"), GP64()), limit: Load(Param("limit"), GP64()),
		blocks: Load(Param("blocks"), GP64()), quads: Load(Param("quads"), GP64()), width: Load(Param("width"), GP64()),
	}
	SHLQ(Imm(2), p.width)
	return p
}

// next advances to the next block.
func (p pointers) next() {
	ADDQ(Imm(64), p.dst)
	ADDQ(Imm(2*rows), p.over)
	DECQ(p.blocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// vnni computes the products of one query with the vectors of a block in one register.
func vnni() {
	TEXT("scoresVNNI", attr.NOSPLIT, "func(dst *int32, over *uint16, x *uint8, y *uint8, bias, limit *int32, blocks, quads, width int)")
	Doc("scoresVNNI is scoresGo for at least one block and one quad.")
	Pragma("noescape")
	p := load()
	var sums, biases [rows]reg.VecVirtual
	for r := range rows {
		sums[r], biases[r] = ZMM(), ZMM()
		VPBROADCASTD(Mem{Base: p.bias, Disp: 4 * r}, biases[r])
	}
	at, count, vectors, above := GP64(), GP64(), ZMM(), K()
	Label("block")
	for r := range rows {
		VMOVDQA32(biases[r], sums[r])
	}
	MOVQ(p.x, at)
	MOVQ(p.quads, count)
	Label("quad")
	VMOVDQU32(Mem{Base: p.y}, vectors)
	for r := range rows {
		multiplyAdd(Mem{Base: at, Disp: 4 * r}, vectors, sums[r])
	}
	ADDQ(Imm(64), p.y)
	ADDQ(Imm(4*rows), at)
	DECQ(count)
	JNZ(LabelRef("quad"))
	MOVQ(p.dst, at)
	for r := range rows {
		VMOVDQU32(sums[r], Mem{Base: at})
		VPCMPGTD_BCST(Mem{Base: p.limit, Disp: 4 * r}, sums[r], above)
		mask := GP32()
		KMOVW(above, mask)
		MOVW(mask.As16(), Mem{Base: p.over, Disp: 2 * r})
		if r+1 < rows {
			ADDQ(p.width, at)
		}
	}
	p.next()
}

// multiplyAdd adds to each int32 of sums the products of four signed bytes, the
// same at m for all, with four unsigned bytes of vectors. The generator's table of
// instructions ends before AVX-512 VNNI.
func multiplyAdd(m Mem, vectors, sums reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPDPBUSD",
		Suffixes: []string{"BCST"},
		Operands: []Op{m, vectors, sums},
		Inputs:   []Op{m.Base, vectors, sums},
		Outputs:  []Op{sums},
		ISA:      []string{"AVX512VNNI"},
	})
}

// avx2 processes two queries. A register holds the products of one with four
// vectors, two sums each, which are added at the end.
func avx2() {
	TEXT("scoresAVX2", attr.NOSPLIT, "func(dst *int32, over *uint16, x *int16, y *uint8, bias, limit *int32, blocks, quads, width int)")
	Doc("scoresAVX2 is scoresGo for two queries, at least one block and one quad.")
	Pragma("noescape")
	p := load()
	var biases, limits [2]reg.VecVirtual
	for r := range 2 {
		biases[r], limits[r] = YMM(), YMM()
		VPBROADCASTD(Mem{Base: p.bias, Disp: 4 * r}, biases[r])
		VPBROADCASTD(Mem{Base: p.limit, Disp: 4 * r}, limits[r])
	}
	var sums [2][4]reg.VecVirtual
	for r := range 2 {
		for w := range 4 {
			sums[r][w] = YMM()
		}
	}
	at, count := GP64(), GP64()
	Label("block")
	for r := range 2 {
		for w := range 4 {
			VPXOR(sums[r][w], sums[r][w], sums[r][w])
		}
	}
	MOVQ(p.x, at)
	MOVQ(p.quads, count)
	Label("quad")
	queries := [2]reg.VecVirtual{YMM(), YMM()}
	for r := range 2 {
		VPBROADCASTQ(Mem{Base: at, Disp: 8 * r}, queries[r])
	}
	for w := range 4 {
		vectors, product := YMM(), YMM()
		VPMOVZXBW(Mem{Base: p.y, Disp: 16 * w}, vectors)
		VPMADDWD(queries[0], vectors, product)
		VPADDD(product, sums[0][w], sums[0][w])
		VPMADDWD(queries[1], vectors, vectors)
		VPADDD(vectors, sums[1][w], sums[1][w])
	}
	ADDQ(Imm(64), p.y)
	ADDQ(Imm(16), at)
	DECQ(count)
	JNZ(LabelRef("quad"))
	for r := range 2 {
		masks := [2]reg.GPVirtual{GP32(), GP32()}
		for half := range 2 {
			low, high := sums[r][2*half], sums[r][2*half+1]
			VPHADDD(high, low, low)
			VPERMQ(Imm(0xd8), low, low) // the additions leave the middle pairs swapped
			VPADDD(biases[r], low, low)
			out := Mem{Base: p.dst, Disp: 32 * half}
			if r == 1 {
				out.Index, out.Scale = p.width, 1
			}
			VMOVDQU(low, out)
			VPCMPGTD(limits[r], low, low)
			VMOVMSKPS(low, masks[half])
		}
		SHLL(Imm(8), masks[1])
		ORL(masks[1], masks[0])
		MOVW(masks[0].As16(), Mem{Base: p.over, Disp: 2 * r})
	}
	p.next()
}
