// Command maxima writes the assembly of package maxima: inner products of int8 vectors, the
// maximum of every few, and the kernels that process these maxima.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	for _, rows := range []int{12, 8, 4, 2, 1} {
		vnni.write("VNNI", rows, "")
	}
	for _, rows := range []int{4, 2, 1} {
		avx2.write("AVX2", rows, " of components from -64 to 64")
	}
	peaks()
	over()
	fours()
	Generate()
}

const (
	lanes = 16 // maxima of a group
	span  = 8  // groups in a span
	quad  = 128
)

// peaks keeps the greatest of each half of the lanes in one register.
func peaks() {
	TEXT("peaksAVX2", NOSPLIT, "func(best *[16]float32, at *[16]int32, peaks, maxima []int32, shift int32, scales, offsets []float32)")
	Doc("peaksAVX2 is peaksGo for at least one span.")
	Pragma("noescape")
	best, at := Load(Param("best"), GP64()), Load(Param("at"), GP64())
	out, row := Load(Param("peaks").Base(), GP64()), Load(Param("maxima").Base(), GP64())
	scales, offsets := Load(Param("scales").Base(), GP64()), Load(Param("offsets").Base(), GP64())
	spans := Load(Param("offsets").Len(), GP64())
	var greatest, where, peak [2]reg.VecVirtual
	number, one, shift, scale, offset, above := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	low := XMM()
	VMOVD(Load(Param("shift"), GP32()), low)
	VPBROADCASTD(low, shift)
	VPXOR(number, number, number)
	VPCMPEQD(one, one, one) // -1
	for z := range 2 {
		greatest[z], where[z], peak[z] = YMM(), YMM(), YMM()
		VPXOR(where[z], where[z], where[z])
		VPSLLD(Imm(24), one, greatest[z])
		VPSRLD(Imm(1), greatest[z], greatest[z])
		VPSLLD(Imm(31), one, above)
		VPOR(above, greatest[z], greatest[z]) // -Inf
	}
	Label("span")
	for z := range 2 {
		VMOVDQU(Mem{Base: row, Disp: 32 * z}, peak[z])
	}
	for g := 1; g < span; g++ {
		for z := range 2 {
			VPMAXSD(Mem{Base: row, Disp: 64*g + 32*z}, peak[z], peak[z])
		}
	}
	VBROADCASTSS(Mem{Base: scales}, scale)
	VBROADCASTSS(Mem{Base: offsets}, offset)
	for z := range 2 {
		VMOVDQU(peak[z], Mem{Base: out, Disp: 32 * z})
		VPSUBD(shift, peak[z], peak[z])
		VCVTDQ2PS(peak[z], peak[z])
		VMULPS(scale, peak[z], peak[z])
		VSUBPS(offset, peak[z], peak[z])
		VCMPPS(Imm(30), greatest[z], peak[z], above) // greater
		VBLENDVPS(above, peak[z], greatest[z], greatest[z])
		VPBLENDVB(above, number, where[z], where[z])
	}
	VPSUBD(one, number, number)
	ADDQ(U32(4*lanes*span), row)
	ADDQ(Imm(4*lanes), out)
	ADDQ(Imm(4), scales)
	ADDQ(Imm(4), offsets)
	DECQ(spans)
	JNZ(LabelRef("span"))
	for z := range 2 {
		VMOVDQU(greatest[z], Mem{Base: best, Disp: 32 * z})
		VMOVDQU(where[z], Mem{Base: at, Disp: 32 * z})
	}
	VZEROUPPER()
	RET()
}

func over() {
	TEXT("overAVX2", NOSPLIT, "func(masks []uint16, peaks, limits []int32)")
	Doc("overAVX2 is overGo for at least one span.")
	Pragma("noescape")
	masks, row := Load(Param("masks").Base(), GP64()), Load(Param("peaks").Base(), GP64())
	limits, spans := Load(Param("limits").Base(), GP64()), Load(Param("limits").Len(), GP64())
	limit := YMM()
	Label("span")
	VPBROADCASTD(Mem{Base: limits}, limit)
	halves := [2]reg.GPVirtual{GP32(), GP32()}
	for z := range 2 {
		peak := YMM()
		VMOVDQU(Mem{Base: row, Disp: 32 * z}, peak)
		VPCMPGTD(limit, peak, peak)
		VMOVMSKPS(peak, halves[z])
	}
	SHLL(Imm(8), halves[1])
	ORL(halves[1], halves[0])
	MOVW(halves[0].As16(), Mem{Base: masks})
	ADDQ(Imm(2), masks)
	ADDQ(Imm(4*lanes), row)
	ADDQ(Imm(4), limits)
	DECQ(spans)
	JNZ(LabelRef("span"))
	VZEROUPPER()
	RET()
}

// fours multiplies 16 components of the query by those of four rows at a time, and fetches
// the four rows after them.
func fours() {
	TEXT("foursAVX2", NOSPLIT, "func(dst []int32, x, y []int8, at []int32)")
	Doc("foursAVX2 is foursGo for at least one row of at, and a positive multiple of 16 components.")
	Pragma("noescape")
	dst := Load(Param("dst").Base(), GP64())
	x, step := Load(Param("x").Base(), GP64()), Load(Param("x").Len(), GP64())
	y := Load(Param("y").Base(), GP64())
	at, count := Load(Param("at").Base(), GP64()), Load(Param("at").Len(), GP64())
	third, row, next, query, left := GP64(), GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, third)
	MOVLQSX(Mem{Base: at}, next)
	IMULQ(step, next)
	ADDQ(y, next)
	var sums [4]reg.VecVirtual
	for i := range sums {
		sums[i] = YMM()
	}
	Label("four")
	MOVQ(next, row)
	CMPQ(count, Imm(1))
	JEQ(LabelRef("last"))
	MOVLQSX(Mem{Base: at, Disp: 4}, next)
	IMULQ(step, next)
	ADDQ(y, next)
	Label("last")
	for i := range sums {
		VPXOR(sums[i], sums[i], sums[i])
	}
	MOVQ(x, query)
	MOVQ(step, left)
	ahead := GP64()
	MOVQ(next, ahead)
	Label("sixteen")
	PREFETCHT0(Mem{Base: ahead})
	ADDQ(Imm(64), ahead)
	components := YMM()
	VPMOVSXBW(Mem{Base: query}, components)
	for i, m := range []Mem{{Base: row}, {Base: row, Index: step, Scale: 1}, {Base: row, Index: step, Scale: 2}, {Base: row, Index: third, Scale: 1}} {
		vector := YMM()
		VPMOVSXBW(m, vector)
		VPMADDWD(components, vector, vector)
		VPADDD(vector, sums[i], sums[i])
	}
	ADDQ(Imm(16), query)
	ADDQ(Imm(16), row)
	SUBQ(Imm(16), left)
	JNZ(LabelRef("sixteen"))
	VPHADDD(sums[1], sums[0], sums[0])
	VPHADDD(sums[3], sums[2], sums[2])
	VPHADDD(sums[2], sums[0], sums[0])
	high := XMM()
	VEXTRACTI128(Imm(1), sums[0], high)
	VPADDD(sums[0].AsX(), high, high)
	VMOVDQU(high, Mem{Base: dst})
	ADDQ(Imm(16), dst)
	ADDQ(Imm(4), at)
	DECQ(count)
	JNZ(LabelRef("four"))
	VZEROUPPER()
	RET()
}
