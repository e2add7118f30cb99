// Command rounding writes the assembly of package rounding: vectors of float32 measured
// and rounded to int8, eight components at a time.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	measure()
	round()
	Generate()
}

func measure() {
	TEXT("measureAVX2", NOSPLIT, "func(x []float32) (largest, square float64)")
	Doc("measureAVX2 is measureGo for a positive multiple of 8 components.")
	Pragma("noescape")
	x, n := Load(Param("x").Base(), GP64()), Load(Param("x").Len(), GP64())
	sign, largest, sum := YMM(), YMM(), YMM()
	VPCMPEQD(sign, sign, sign)
	VPSRLD(Imm(1), sign, sign) // all bits but the sign
	VXORPS(largest, largest, largest)
	VXORPD(sum, sum, sum)
	Label("eight")
	size := YMM()
	VANDPS(Mem{Base: x}, sign, size)
	VMAXPS(size, largest, largest)
	for half := range 2 {
		v := YMM()
		VCVTPS2PD(Mem{Base: x, Disp: 16 * half}, v)
		VMULPD(v, v, v)
		VADDPD(v, sum, sum)
	}
	ADDQ(Imm(32), x)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	high := XMM()
	VEXTRACTF128(Imm(1), largest, high)
	VMAXPS(high, largest.AsX(), high)
	swapped := XMM()
	VPERMILPS(Imm(0x4e), high, swapped)
	VMAXPS(swapped, high, high)
	VPERMILPS(Imm(0xb1), high, swapped)
	VMAXPS(swapped, high, high)
	VCVTSS2SD(high, high, high)
	Store(high, Return("largest"))
	Store(total(sum), Return("square"))
	VZEROUPPER()
	RET()
}

// total adds the lanes 0 and 1, 2 and 3, and the two results.
func total(sum reg.VecVirtual) reg.VecVirtual {
	VHADDPD(sum, sum, sum)
	high := XMM()
	VEXTRACTF128(Imm(1), sum, high)
	VADDSD(high, sum.AsX(), high)
	return high
}

func round() {
	TEXT("roundAVX2", NOSPLIT, "func(dst []int8, x []float32, scale, inverse float64) (square float64, sum int64)")
	Doc("roundAVX2 is roundGo for a positive multiple of 8 components.")
	Pragma("noescape")
	dst := Load(Param("dst").Base(), GP64())
	x, n := Load(Param("x").Base(), GP64()), Load(Param("x").Len(), GP64())
	broadcast := func(name string) reg.VecVirtual {
		a, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		v := YMM()
		VBROADCASTSD(a.Addr, v)
		return v
	}
	scale, inverse := broadcast("scale"), broadcast("inverse")
	square, sum := YMM(), XMM()
	VXORPD(square, square, square)
	VPXOR(sum, sum, sum)
	Label("eight")
	var integers [2]reg.VecVirtual
	for half := range 2 {
		integers[half] = XMM()
		v, m := YMM(), YMM()
		VCVTPS2PD(Mem{Base: x, Disp: 16 * half}, v)
		VMULPD(inverse, v, m)
		VCVTPD2DQY(m, integers[half])
		VPADDD(integers[half], sum, sum)
		VCVTDQ2PD(integers[half], m)
		VMULPD(scale, m, m)
		VSUBPD(m, v, v)
		VMULPD(v, v, v)
		VADDPD(v, square, square)
	}
	VPACKSSDW(integers[1], integers[0], integers[0])
	VPACKSSWB(integers[0], integers[0], integers[0])
	VMOVQ(integers[0], Mem{Base: dst})
	ADDQ(Imm(8), dst)
	ADDQ(Imm(32), x)
	SUBQ(Imm(8), n)
	JNZ(LabelRef("eight"))
	VPHADDD(sum, sum, sum)
	VPHADDD(sum, sum, sum)
	out := GP32()
	VMOVD(sum, out)
	wide := GP64()
	MOVLQSX(out, wide)
	Store(total(square), Return("square"))
	Store(wide, Return("sum"))
	VZEROUPPER()
	RET()
}
