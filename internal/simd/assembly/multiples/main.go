// Command multiples writes the assembly of package multiples, 4 numbers in a register.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A round processes registers, each of lanes float64.
const (
	registers = 4
	lanes     = 4
	size      = 8 * lanes
)

func main() {
	ConstraintExpr("amd64")
	TEXT("addAVX2", NOSPLIT, "func(dst *float64, by float64, row *float64, n int)")
	Doc("addAVX2 is addGo for a positive multiple of 4 numbers.")
	Pragma("noescape")
	dst, row, n := Load(Param("dst"), GP64()), Load(Param("row"), GP64()), Load(Param("n"), GP64())
	address, err := Param("by").Resolve()
	if err != nil {
		panic(err)
	}
	by := YMM()
	VBROADCASTSD(address.Addr, by)
	SUBQ(Imm(registers*lanes), n)
	JL(LabelRef("rest"))
	Label("round")
	step(dst, row, by, registers)
	SUBQ(Imm(registers*lanes), n)
	JGE(LabelRef("round"))
	Label("rest")
	ADDQ(Imm(registers*lanes), n)
	JE(LabelRef("end"))
	Label("one")
	step(dst, row, by, 1)
	SUBQ(Imm(lanes), n)
	JNE(LabelRef("one"))
	Label("end")
	VZEROUPPER()
	RET()
	Generate()
}

// step adds to n registers of numbers. Each product is rounded before it is added.
func step(dst, row reg.Register, by reg.VecVirtual, n int) {
	product := make([]reg.VecVirtual, n)
	for i := range product {
		product[i] = YMM()
		VMULPD(Mem{Base: row, Disp: i * size}, by, product[i])
	}
	for i, p := range product {
		VADDPD(Mem{Base: dst, Disp: i * size}, p, p)
	}
	for i, p := range product {
		VMOVUPD(p, Mem{Base: dst, Disp: i * size})
	}
	ADDQ(Imm(uint64(n*size)), dst)
	ADDQ(Imm(uint64(n*size)), row)
}
