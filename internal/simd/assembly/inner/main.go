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

// vnni computes the products of one query with the vectors of a block in one register, of two
// blocks at once: sixteen sums hide how long a product takes, and each load of a query's
// components serves two of them. The last one of an odd number is by itself.
func vnni() {
	TEXT("scoresVNNI", attr.NOSPLIT, "func(dst *int32, over *uint16, x *uint8, y *uint8, bias, limit *int32, blocks, quads, width int)")
	Doc("scoresVNNI is scoresGo for at least one block and one quad.")
	Pragma("noescape")
	p := load()
	size, at, count := GP64(), GP64(), GP64()
	MOVQ(p.quads, size)
	SHLQ(Imm(6), size)
	var sums [2][rows]reg.VecVirtual
	for b := range sums {
		for r := range rows {
			sums[b][r] = ZMM()
		}
	}
	vectors, query := [2]reg.VecVirtual{ZMM(), ZMM()}, ZMM()

	SUBQ(Imm(2), p.blocks)
	JLT(LabelRef("last"))
	Label("pair")
	for r := range rows {
		VPBROADCASTD(Mem{Base: p.bias, Disp: 4 * r}, sums[0][r])
		VMOVDQA32(sums[0][r], sums[1][r])
	}
	MOVQ(p.x, at)
	MOVQ(p.quads, count)
	Label("quads")
	VMOVDQU32(Mem{Base: p.y}, vectors[0])
	VMOVDQU32(Mem{Base: p.y, Index: size, Scale: 1}, vectors[1])
	for r := range rows {
		VPBROADCASTD(Mem{Base: at, Disp: 4 * r}, query)
		multiplyAdd(query, vectors[0], sums[0][r])
		multiplyAdd(query, vectors[1], sums[1][r])
	}
	ADDQ(Imm(64), p.y)
	ADDQ(Imm(4*rows), at)
	DECQ(count)
	JNZ(LabelRef("quads"))
	ADDQ(size, p.y)
	p.store(sums[:])
	ADDQ(Imm(2*64), p.dst)
	ADDQ(Imm(2*2*rows), p.over)
	SUBQ(Imm(2), p.blocks)
	JGE(LabelRef("pair"))

	Label("last")
	ADDQ(Imm(2), p.blocks)
	JZ(LabelRef("done"))
	for r := range rows {
		VPBROADCASTD(Mem{Base: p.bias, Disp: 4 * r}, sums[0][r])
	}
	MOVQ(p.quads, count)
	Label("quad")
	VMOVDQU32(Mem{Base: p.y}, vectors[0])
	for r := range rows {
		VPBROADCASTD(Mem{Base: p.x, Disp: 4 * r}, query)
		multiplyAdd(query, vectors[0], sums[0][r])
	}
	ADDQ(Imm(64), p.y)
	ADDQ(Imm(4*rows), p.x)
	DECQ(count)
	JNZ(LabelRef("quad"))
	p.store(sums[:1])
	Label("done")
	VZEROUPPER()
	RET()
}

// store writes the sums of some blocks, and which of them are above the limits.
func (p pointers) store(sums [][rows]reg.VecVirtual) {
	at, above := GP64(), K()
	MOVQ(p.dst, at)
	for r := range rows {
		for b := range sums {
			mask := GP32()
			VMOVDQU32(sums[b][r], Mem{Base: at, Disp: 64 * b})
			VPCMPGTD_BCST(Mem{Base: p.limit, Disp: 4 * r}, sums[b][r], above)
			KMOVW(above, mask)
			MOVW(mask.As16(), Mem{Base: p.over, Disp: 2*rows*b + 2*r})
		}
		if r+1 < rows {
			ADDQ(p.width, at)
		}
	}
}

// multiplyAdd adds to each int32 of sums the products of four signed bytes of query with
// four unsigned bytes of vectors. The generator's table of instructions ends before AVX-512
// VNNI.
func multiplyAdd(query, vectors, sums reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPDPBUSD",
		Operands: []Op{query, vectors, sums},
		Inputs:   []Op{query, vectors, sums},
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
