// Command hamming writes the assembly of package hamming: which of the codes in blocks differs
// in the fewest bits from a code.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is the number of codes of a block.
const lanes = 8

func main() {
	ConstraintExpr("amd64")
	lane := table("lane", func(i int) uint64 { return uint64(i) }, lanes)
	nibbles := table("nibbles", func(i int) uint64 { return [2]uint64{0x0302020102010100, 0x0403030203020201}[i%2] }, 4)
	wide("nearest4AVX512", 4, lane)
	wide("nearestAVX512", 0, lane)
	narrow("nearestAVX2", lane, nibbles)
	Generate()
}

func table(name string, value func(i int) uint64, n int) Mem {
	at := GLOBL(name, RODATA|NOPTR)
	for i := range n {
		DATA(8*i, U64(value(i)))
	}
	return at
}

// pointers are the arguments of a kernel.
type pointers struct{ best, code, blocks, n, words reg.Register }

// begin begins a kernel for codes of some words; 0: for any number.
func begin(name string, words int) pointers {
	signature, more := "func(best, code, blocks *uint64, n int)", ""
	if words == 0 {
		signature = "func(best, code, blocks *uint64, n, words int)"
	} else {
		more = " of 4 words"
	}
	TEXT(name, NOSPLIT, signature)
	Doc(name + " writes the least differ<<32 + at of each lane of n blocks of codes" + more + ", at least one.")
	Pragma("noescape")
	p := pointers{best: Load(Param("best"), GP64()), code: Load(Param("code"), GP64()), blocks: Load(Param("blocks"), GP64()), n: Load(Param("n"), GP64())}
	if words == 0 {
		p.words = Load(Param("words"), GP64())
	}
	return p
}

// wide writes a kernel that counts the bits of a block's word in one register.
func wide(name string, words int, lane Mem) {
	p := begin(name, words)
	best, index, step := ZMM(), ZMM(), ZMM()
	VPTERNLOGQ(Imm(0xff), best, best, best)
	VMOVDQU64(lane, index)
	broadcast(lanes, step)
	sum, x := ZMM(), ZMM()
	if words > 0 {
		code := make([]reg.VecVirtual, words)
		for w := range code {
			code[w] = ZMM()
			VPBROADCASTQ(Mem{Base: p.code, Disp: 8 * w}, code[w])
		}
		Label("block")
		VPXORQ(Mem{Base: p.blocks}, code[0], sum)
		count(sum, sum)
		for w := 1; w < words; w++ {
			VPXORQ(Mem{Base: p.blocks, Disp: 64 * w}, code[w], x)
			count(x, x)
			VPADDQ(x, sum, sum)
		}
		ADDQ(U32(64*words), p.blocks)
	} else {
		at, left := GP64(), GP64()
		Label("block")
		VPXORQ(sum, sum, sum)
		MOVQ(p.code, at)
		MOVQ(p.words, left)
		Label("word")
		VPBROADCASTQ(Mem{Base: at}, x)
		VPXORQ(Mem{Base: p.blocks}, x, x)
		count(x, x)
		VPADDQ(x, sum, sum)
		ADDQ(Imm(8), at)
		ADDQ(Imm(64), p.blocks)
		DECQ(left)
		JNE(LabelRef("word"))
	}
	VPSLLQ(Imm(32), sum, sum)
	VPORQ(index, sum, sum)
	VPMINUQ(sum, best, best)
	VPADDQ(step, index, index)
	DECQ(p.n)
	JNE(LabelRef("block"))
	VMOVDQU64(best, Mem{Base: p.best})
	VZEROUPPER()
	RET()
}

// broadcast writes a number to all lanes.
func broadcast(n uint64, dst reg.VecVirtual) {
	one, x := GP64(), XMM()
	MOVQ(U64(n), one)
	MOVQ(one, x)
	VPBROADCASTQ(x, dst)
}

// count writes the number of bits of each lane. The generator's table of instructions ends
// before it.
func count(src, dst reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode: "VPOPCNTQ", Operands: []Op{src, dst}, Inputs: []Op{src}, Outputs: []Op{dst}, ISA: []string{"AVX512_VPOPCNTDQ"},
	})
}

// narrow writes a kernel for half a block in a register, which looks up the bits of four.
func narrow(name string, lane, nibbles Mem) {
	p := begin(name, 0)
	var best, index, sum [2]reg.VecVirtual
	for h := range 2 {
		best[h], index[h], sum[h] = YMM(), YMM(), YMM()
		VPCMPEQB(best[h], best[h], best[h])
		VPSRLQ(Imm(1), best[h], best[h]) // the largest with a sign
		VMOVDQU(lane.Offset(32*h), index[h])
	}
	step, low, bits, zero := YMM(), YMM(), YMM(), YMM()
	broadcast(lanes, step)
	broadcast(0x0f0f0f0f0f0f0f0f, low)
	VMOVDQU(nibbles, bits)
	VPXOR(zero, zero, zero)
	at, left := GP64(), GP64()
	code, x, high := YMM(), YMM(), YMM()
	Label("block")
	for h := range 2 {
		VPXOR(sum[h], sum[h], sum[h])
	}
	MOVQ(p.code, at)
	MOVQ(p.words, left)
	Label("word")
	VPBROADCASTQ(Mem{Base: at}, code)
	for h := range 2 {
		VPXOR(Mem{Base: p.blocks, Disp: 32 * h}, code, x)
		VPSRLQ(Imm(4), x, high)
		VPAND(low, x, x)
		VPAND(low, high, high)
		VPSHUFB(x, bits, x)
		VPSHUFB(high, bits, high)
		VPADDB(high, x, x)
		VPSADBW(zero, x, x)
		VPADDQ(x, sum[h], sum[h])
	}
	ADDQ(Imm(8), at)
	ADDQ(Imm(64), p.blocks)
	DECQ(left)
	JNE(LabelRef("word"))
	for h := range 2 {
		VPSLLQ(Imm(32), sum[h], sum[h])
		VPOR(index[h], sum[h], sum[h])
		VPCMPGTQ(sum[h], best[h], x) // best > sum
		VBLENDVPD(x, sum[h], best[h], best[h])
		VPADDQ(step, index[h], index[h])
	}
	DECQ(p.n)
	JNE(LabelRef("block"))
	for h := range 2 {
		VMOVDQU(best[h], Mem{Base: p.best, Disp: 32 * h})
	}
	VZEROUPPER()
	RET()
}
