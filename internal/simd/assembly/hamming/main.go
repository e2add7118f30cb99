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
	groups("nearest4AVX512")
	wide("nearestAVX512", lane)
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

// begin begins a kernel for codes of any number of words.
func begin(name string) pointers {
	TEXT(name, NOSPLIT, "func(best, code, blocks *uint64, n, words int)")
	Doc(name + " writes the least differ<<32 + at of each lane of n blocks of codes, at least one.")
	Pragma("noescape")
	return pointers{best: Load(Param("best"), GP64()), code: Load(Param("code"), GP64()), blocks: Load(Param("blocks"), GP64()), n: Load(Param("n"), GP64()), words: Load(Param("words"), GP64())}
}

// wide writes a kernel that counts the bits of a block's word in one register.
func wide(name string, lane Mem) {
	p := begin(name)
	best, index, step := ZMM(), ZMM(), ZMM()
	VPTERNLOGQ(Imm(0xff), best, best, best)
	VMOVDQU64(lane, index)
	broadcast(lanes, step)
	sum, x := ZMM(), ZMM()
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

// groups writes a kernel for codes of 4 words, whose distances fit lanes of 16 bits: those of 4
// blocks are compared at once.
func groups(name string) {
	const words, blocks = 4, 4
	TEXT(name, NOSPLIT, "func(best *uint16, code, blocks *uint64, n int)")
	Doc(name+" writes the least differ<<7 + group of each lane of n groups of 4 blocks of codes of 4 words,", "at least one and at most 128. Lane 4i + b is that of code i of block b of a group.")
	Pragma("noescape")
	best, index, step := ZMM(), ZMM(), ZMM()
	to, from, at, n := Load(Param("best"), GP64()), Load(Param("code"), GP64()), Load(Param("blocks"), GP64()), Load(Param("n"), GP64())
	VPTERNLOGQ(Imm(0xff), best, best, best)
	VPXORQ(index, index, index)
	broadcast(0x0001000100010001, step)
	var code [words]reg.VecVirtual
	for w := range code {
		code[w] = ZMM()
		VPBROADCASTQ(Mem{Base: from, Disp: 8 * w}, code[w])
	}
	var sum [blocks]reg.VecVirtual
	Label("group")
	for b := range sum {
		sum[b] = ZMM()
		for w := range code {
			x := ZMM()
			VPXORQ(Mem{Base: at, Disp: 64 * (words*b + w)}, code[w], x)
			if w == 0 {
				count(x, sum[b])
				continue
			}
			count(x, x)
			VPADDQ(x, sum[b], sum[b])
		}
		if b > 0 {
			VPSLLQ(Imm(uint64(16*b)), sum[b], sum[b])
		}
	}
	VPTERNLOGQ(Imm(0xfe), sum[1], sum[2], sum[0]) // or
	VPORQ(sum[3], sum[0], sum[0])
	VPSLLW(Imm(7), sum[0], sum[0])
	VPORQ(index, sum[0], sum[0])
	VPMINUW(sum[0], best, best)
	VPADDW(step, index, index)
	ADDQ(U32(64*words*blocks), at)
	DECQ(n)
	JNE(LabelRef("group"))
	VMOVDQU64(best, Mem{Base: to})
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
	p := begin(name)
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
