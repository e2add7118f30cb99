// Command within writes the assembly of package within.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	mark("markUint32AVX512", "uint32", 4, 16, uint32AVX512)
	mark("markFloat64AVX512", "float64", 8, 8, float64AVX512)
	mark("markUint32AVX2", "uint32", 4, 8, uint32AVX2)
	mark("markFloat64AVX2", "float64", 8, 4, float64AVX2)
	Generate()
}

// compare loads the limit into a register, and returns a function that compares one
// register of elements in memory with it and writes a bit for each into a
// general-purpose register.
type compare func(limit gotypes.Component) func(row Mem, bits reg.GPVirtual)

// mark writes one kernel for elements of size bytes, lanes of them in a register.
func mark(name, kind string, size, lanes int, start compare) {
	TEXT(name, NOSPLIT, "func(dst *uint64, row *"+kind+", limit "+kind+", words int)")
	Doc(name + " is markGo for words times 64 elements, at least 64.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	row := Load(Param("row"), GP64())
	words := Load(Param("words"), GP64())
	step := start(Param("limit"))
	Label("word")
	word, part := GP64(), GP64()
	for at := 0; at < 64; at += lanes {
		if at == 0 {
			step(Mem{Base: row}, word)
			continue
		}
		step(Mem{Base: row, Disp: at * size}, part)
		SHLQ(Imm(uint64(at)), part)
		ORQ(part, word)
	}
	MOVQ(word, Mem{Base: dst})
	ADDQ(U32(64*size), row)
	ADDQ(Imm(8), dst)
	DECQ(words)
	JNE(LabelRef("word"))
	VZEROUPPER()
	RET()
}

// The predicates "less than or equal" of VPCMPUD, and of VCMPPD without exceptions.
const (
	atMostUint32  = 2
	atMostFloat64 = 18
)

// low32 loads a uint32 into a vector register.
func low32(limit gotypes.Component) Op {
	x := XMM()
	VMOVD(Load(limit, GP32()), x)
	return x
}

func uint32AVX512(limit gotypes.Component) func(Mem, reg.GPVirtual) {
	z := ZMM()
	VPBROADCASTD(low32(limit), z)
	return func(row Mem, bits reg.GPVirtual) {
		x, k := ZMM(), K()
		VMOVDQU32(row, x)
		VPCMPUD(Imm(atMostUint32), z, x, k)
		KMOVW(k, bits.As32())
	}
}

func float64AVX512(limit gotypes.Component) func(Mem, reg.GPVirtual) {
	z := ZMM()
	VBROADCASTSD(Load(limit, XMM()), z)
	return func(row Mem, bits reg.GPVirtual) {
		x, k := ZMM(), K()
		VMOVUPD(row, x)
		VCMPPD(Imm(atMostFloat64), z, x, k)
		KMOVB(k, bits.As32())
	}
}

// AVX2 does not compare without sign: v <= limit if the lesser of them is v.
func uint32AVX2(limit gotypes.Component) func(Mem, reg.GPVirtual) {
	y := YMM()
	VPBROADCASTD(low32(limit), y)
	return func(row Mem, bits reg.GPVirtual) {
		x, least := YMM(), YMM()
		VMOVDQU(row, x)
		VPMINUD(x, y, least)
		VPCMPEQD(x, least, least)
		VMOVMSKPS(least, bits.As32())
	}
}

func float64AVX2(limit gotypes.Component) func(Mem, reg.GPVirtual) {
	y := YMM()
	VBROADCASTSD(Load(limit, XMM()), y)
	return func(row Mem, bits reg.GPVirtual) {
		x := YMM()
		VMOVUPD(row, x)
		VCMPPD(Imm(atMostFloat64), y, x, x)
		VMOVMSKPD(x, bits.As32())
	}
}
