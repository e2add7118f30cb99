// Command multiples writes the assembly of package multiples.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// registers is how many registers of sums there are at once: their additions hide how long
// each takes.
const registers = 8

func main() {
	ConstraintExpr("amd64")
	sum("AVX512", 8, func() reg.VecVirtual { return ZMM() })
	sum("AVX2", 4, func() reg.VecVirtual { return YMM() })
	Generate()
}

// arguments are those of a kernel. dst and rows advance by columns.
type arguments struct {
	dst, by, rows, which, count, n, stride reg.Register
}

// sum writes a kernel. The columns are processed in strips of registers, and what is left of
// them in one of as many as it needs. With AVX-512 the last of these is masked.
func sum(level string, lanes int, vector func() reg.VecVirtual) {
	masked := lanes == 8
	TEXT("sum"+level, NOSPLIT, "func(dst, by, rows *float64, which *uint32, count, n, stride int)")
	if masked {
		Doc("sum" + level + " is sumGo for at least one row and one column.")
	} else {
		Doc("sum" + level + " is sumGo for at least one row and a positive multiple of 4 columns.")
	}
	Pragma("noescape")
	a := arguments{
		dst: Load(Param("dst"), GP64()), by: Load(Param("by"), GP64()), rows: Load(Param("rows"), GP64()), which: Load(Param("which"), GP64()),
		count: Load(Param("count"), GP64()), n: Load(Param("n"), GP64()), stride: Load(Param("stride"), GP64()),
	}
	SHLQ(Imm(3), a.stride)
	var mask reg.Register
	if masked {
		// The last register has (n-1)%8 + 1 columns.
		mask = K()
		shift, bits := GP64(), GP64()
		LEAQ(Mem{Base: a.n, Disp: -1}, shift)
		ANDQ(Imm(7), shift)
		MOVQ(shift, reg.RCX)
		MOVL(U32(2), bits.As32())
		SHLL(reg.CL, bits.As32())
		DECL(bits.As32())
		KMOVW(bits.As32(), mask)
	}
	width := registers * lanes
	Label("strip")
	CMPQ(a.n, U32(uint32(width)))
	JLT(LabelRef("last"))
	strip(a, "whole", registers, vector, nil)
	ADDQ(U32(uint32(8*width)), a.dst)
	ADDQ(U32(uint32(8*width)), a.rows)
	SUBQ(U32(uint32(width)), a.n)
	JMP(LabelRef("strip"))
	Label("last")
	for r := range registers {
		CMPQ(a.n, U32(uint32(r*lanes)))
		JLE(LabelRef(fmt.Sprintf("left%d", r)))
	}
	if masked {
		strip(a, fmt.Sprint("strip", registers), registers, vector, mask)
		JMP(LabelRef("left0"))
	}
	for r := registers - 1; r > 0; r-- {
		Label(fmt.Sprintf("left%d", r))
		strip(a, fmt.Sprint("strip", r), r, vector, mask)
		JMP(LabelRef("left0"))
	}
	Label("left0")
	VZEROUPPER()
	RET()
}

// strip adds to some registers of columns. Each product is rounded before it is added. The last
// register is masked if there is a mask.
func strip(a arguments, name string, n int, vector func() reg.VecVirtual, mask reg.Register) {
	sums, by, product := make([]reg.VecVirtual, n), vector(), vector()
	size := int(by.Size())
	last := func(i int) bool { return mask != nil && i == n-1 }
	for i := range sums {
		sums[i] = vector()
		if m := (Mem{Base: a.dst, Disp: i * size}); last(i) {
			VMOVUPD_Z(m, mask, sums[i])
		} else {
			VMOVUPD(m, sums[i])
		}
	}
	k, row := GP64(), GP64()
	XORQ(k, k)
	Label(name)
	MOVL(Mem{Base: a.which, Index: k, Scale: 4}, row.As32())
	IMULQ(a.stride, row)
	ADDQ(a.rows, row)
	VBROADCASTSD(Mem{Base: a.by, Index: k, Scale: 8}, by)
	for i, s := range sums {
		if m := (Mem{Base: row, Disp: i * size}); last(i) {
			VMULPD_Z(m, by, mask, product)
		} else {
			VMULPD(m, by, product)
		}
		VADDPD(product, s, s)
	}
	INCQ(k)
	CMPQ(k, a.count)
	JNE(LabelRef(name))
	for i, s := range sums {
		if m := (Mem{Base: a.dst, Disp: i * size}); last(i) {
			VMOVUPD(s, mask, m)
		} else {
			VMOVUPD(s, m)
		}
	}
}
