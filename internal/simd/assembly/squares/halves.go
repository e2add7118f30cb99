package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants are what the products of upper halves, the middle terms and the products of
// lower halves are multiplied by, -2 times their place.
func constants() Mem {
	at := GLOBL("places", RODATA|NOPTR)
	for i, place := range []float64{-1 << 23, -1 << 12, -2} {
		DATA(8*i, U64(math.Float64bits(place)))
	}
	return at
}

// words is the number of words of a panel in halves.
const words = 16

func halves(rows int, places Mem) {
	name := fmt.Sprintf("halvesVNNIx%d", rows)
	TEXT(name, NOSPLIT, "func(dst []float64, x []int16, own []float64, panels []int16, norms []float64, pairs, count, width int)")
	Doc(fmt.Sprintf("%s is squaresOfHalves for %d rows.", name, rows))
	Pragma("noescape")
	dst := Load(Param("dst").Base(), GP64())
	x := Load(Param("x").Base(), GP64())
	own := Load(Param("own").Base(), GP64())
	panel := Load(Param("panels").Base(), GP64())
	norms := Load(Param("norms").Base(), GP64())
	pairs := Load(Param("pairs"), GP64())
	count := Load(Param("count"), GP64())
	width := Load(Param("width"), GP64())
	SHLQ(Imm(3), width)

	sums := make([][3]reg.VecVirtual, rows) // of upper halves, of h+l, of lower halves
	for r := range sums {
		sums[r] = [3]reg.VecVirtual{ZMM(), ZMM(), ZMM()}
	}
	y := [3]reg.VecVirtual{ZMM(), ZMM(), ZMM()}
	at, k, row := GP64(), GP64(), GP64()

	Label("panel")
	for _, row := range sums {
		for _, z := range row {
			VPXORD(z, z, z)
		}
	}
	MOVQ(x, at)
	MOVQ(pairs, k)
	Label("pair")
	VMOVDQU16(Mem{Base: panel}, y[0])
	VMOVDQU16(Mem{Base: panel, Disp: 4 * words}, y[2])
	VPADDW(y[0], y[2], y[1])
	for line := 0; line < 8*words; line += 64 {
		PREFETCHT0(Mem{Base: panel, Disp: ahead + line})
	}
	for r := range sums {
		for part, of := range []int{0, 2, 1} { // as x has them
			multiplyAdd(Mem{Base: at, Disp: 12*r + 4*part}, y[of], sums[r][of])
		}
	}
	ADDQ(Imm(uint64(12*rows)), at)
	ADDQ(Imm(8*words), panel)
	DECQ(k)
	JNE(LabelRef("pair"))

	// All of these are whole numbers below 2^53.
	MOVQ(dst, row)
	for r, parts := range sums {
		VPSUBD(parts[0], parts[1], parts[1])
		VPSUBD(parts[2], parts[1], parts[1])
		for half := range 2 {
			product, more := ZMM(), ZMM()
			float64s(parts[2], half, product)
			VMULPD_BCST(places.Offset(16), product, product)
			for _, part := range []int{1, 0} {
				float64s(parts[part], half, more)
				VFMADD231PD_BCST(places.Offset(8*part), more, product)
			}
			VMOVUPD(Mem{Base: norms, Disp: 64 * half}, more)
			VADDPD_BCST(Mem{Base: own, Disp: 8 * r}, more, more)
			VADDPD(more, product, product)
			VMOVUPD(product, Mem{Base: row, Disp: 64 * half})
		}
		ADDQ(width, row)
	}
	ADDQ(Imm(8*words), dst)
	ADDQ(Imm(8*words), norms)
	DECQ(count)
	JNE(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// multiplyAdd adds to each int32 of sums the products of two int16, the same at m for all,
// with two int16 of words. The generator's table of instructions ends before AVX-512 VNNI.
func multiplyAdd(m Mem, words, sums reg.VecVirtual) {
	Instruction(&ir.Instruction{
		Opcode:   "VPDPWSSD",
		Suffixes: []string{"BCST"},
		Operands: []Op{m, words, sums},
		Inputs:   []Op{m.Base, words, sums},
		Outputs:  []Op{sums},
		ISA:      []string{"AVX512VNNI"},
	})
}

// float64s converts one half of a register of int32.
func float64s(from reg.VecVirtual, half int, to reg.VecVirtual) {
	if half == 0 {
		VCVTDQ2PD(from.AsY(), to)
		return
	}
	VEXTRACTI64X4(Imm(1), from, to.AsY())
	VCVTDQ2PD(to.AsY(), to)
}
