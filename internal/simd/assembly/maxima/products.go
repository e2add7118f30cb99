package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pair is two registers of vectors, or of their sums.
type pair [2]reg.VecVirtual

// kernel multiplies queries by a pair of registers of vectors at a time.
type kernel struct {
	registers func() reg.VecVirtual
	parts     int // passes over the vectors of a group
	again     int // passes over the same quads, for the other vectors of each
	zero      func(sum reg.VecVirtual)
	load      func(part, z int, tile reg.Register, vectors reg.VecVirtual)
	// begin writes what is before the loops and returns multiply, which adds the products
	// of four components of query r to its sums.
	begin func() (multiply func(r int, query Mem, vectors, sums pair))
	keep  func(part int, sums pair, out reg.Register)
}

func (k kernel) pair() pair { return pair{k.registers(), k.registers()} }

// write writes the kernel for a number of queries.
func (k kernel) write(name string, rows int, of string) {
	name = fmt.Sprintf("maxima%sx%d", name, rows)
	TEXT(name, NOSPLIT, "func(dst []int32, x []uint8, y []uint8, groups, quads, stride int)")
	Doc(fmt.Sprintf("%s is maximaGo for %d rows%s, at least one group and one quad.", name, rows, of))
	Pragma("noescape")
	dst, x, y := Load(Param("dst").Base(), GP64()), Load(Param("x").Base(), GP64()), Load(Param("y").Base(), GP64())
	groups, quads, stride := Load(Param("groups"), GP64()), Load(Param("quads"), GP64()), Load(Param("stride"), GP64())
	SHLQ(Imm(2), stride)
	sums := make([]pair, rows)
	for r := range sums {
		sums[r] = k.pair()
	}
	vectors := k.pair()
	multiply := k.begin()
	at, count, tile, out := GP64(), GP64(), y, GP64()
	if k.again > 1 {
		tile = GP64()
	}
	Label("group")
	for part := range k.parts {
		for r := range sums {
			for z := range 2 {
				k.zero(sums[r][z])
			}
		}
		MOVQ(x, at)
		MOVQ(quads, count)
		if k.again > 1 {
			MOVQ(y, tile)
		}
		loop := fmt.Sprintf("quad%d", part)
		Label(loop)
		for z := range 2 {
			k.load(part, z, tile, vectors[z])
		}
		for r := range sums {
			multiply(r, Mem{Base: at, Disp: 4 * r}, vectors, sums[r])
		}
		ADDQ(U32(quad), tile)
		ADDQ(Imm(uint64(4*rows)), at)
		DECQ(count)
		JNZ(LabelRef(loop))
		if k.again > 1 && (part+1)%k.again == 0 {
			MOVQ(tile, y)
		}
		MOVQ(dst, out)
		for r := range sums {
			k.keep(part, sums[r], out)
			if r+1 < rows {
				ADDQ(stride, out)
			}
		}
	}
	ADDQ(Imm(4*lanes), dst)
	DECQ(groups)
	JNZ(LabelRef("group"))
	VZEROUPPER()
	RET()
}

// vnni multiplies by 32 vectors at a time.
var vnni = kernel{
	registers: func() reg.VecVirtual { return ZMM() },
	parts:     2, again: 1,
	zero: func(sum reg.VecVirtual) { VPXORD(sum, sum, sum) },
	load: func(_, z int, tile reg.Register, vectors reg.VecVirtual) {
		VMOVDQU32(Mem{Base: tile, Disp: 64 * z}, vectors)
	},
	begin: func() func(int, Mem, pair, pair) {
		each := pair{ZMM(), ZMM()}
		return func(r int, query Mem, vectors, sums pair) {
			VPBROADCASTD(query, each[r%2])
			for z := range 2 {
				multiplyAdd(each[r%2], vectors[z], sums[z])
			}
		}
	},
	keep: func(part int, sums pair, out reg.Register) {
		VPMAXSD(sums[0], sums[1], sums[0])
		if part > 0 {
			VPMAXSD(Mem{Base: out}, sums[0], sums[0])
		}
		VMOVDQU32(sums[0], Mem{Base: out})
	},
}

// multiplyAdd adds to each int32 of sums the products of four signed bytes of x with
// four unsigned bytes of vectors. The generator's table of instructions ends before
// AVX-512 VNNI.
func multiplyAdd(x, vectors, sums reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPDPBUSD",
		Operands: []Op{x, vectors, sums},
		Inputs:   []Op{x, vectors, sums},
		Outputs:  []Op{sums},
		ISA:      []string{"AVX512VNNI"},
	})
}

// avx2 multiplies by 16 vectors at a time, half of those whose components are side by side.
var avx2 = kernel{
	registers: func() reg.VecVirtual { return YMM() },
	parts:     4, again: 2,
	zero: func(sum reg.VecVirtual) { VPXOR(sum, sum, sum) },
	load: func(part, z int, tile reg.Register, vectors reg.VecVirtual) {
		VMOVDQU(Mem{Base: tile, Disp: part%2*64 + 32*z}, vectors)
	},
	begin: func() func(int, Mem, pair, pair) {
		query, ones := YMM(), YMM()
		VPCMPEQW(ones, ones, ones)
		VPSRLW(Imm(15), ones, ones)
		return func(_ int, from Mem, vectors, sums pair) {
			VPBROADCASTD(from, query)
			for z := range 2 {
				product := YMM()
				VPMADDUBSW(query, vectors[z], product) // two products, at most 2 255 64
				VPMADDWD(ones, product, product)
				VPADDD(product, sums[z], sums[z])
			}
		}
	},
	keep: func(part int, sums pair, out reg.Register) {
		for z := range 2 {
			m := Mem{Base: out, Disp: 32 * z}
			if part > 0 {
				VPMAXSD(m, sums[z], sums[z])
			}
			VMOVDQU(sums[z], m)
		}
	},
}
