// Command weigh writes the assembly of package weigh: integer weights from
// squared distances, eight at a time, by exactly the operations of the plain
// code.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The layout of the constants: float64 each, except for floor, which is a uint64.
const (
	step = 8 * iota
	gamma
	minusT
	least
	log2e
	ln2hi
	ln2lo
	scale
	floor
	series // 14 coefficients, the highest power first
)

const terms = 14

func main() {
	ConstraintExpr("amd64")
	fill("fillAVX512", "float64", 64, func(q Mem, x reg.VecVirtual) { VSQRTPD(q, x) })
	fill("fill32AVX512", "uint32", 32, func(q Mem, x reg.VecVirtual) {
		VCVTUDQ2PD(q, x)
		VSQRTPD(x, x)
	})
	Generate()
}

// fill writes one kernel. root loads eight squared distances, which take the
// given bytes together, and takes their square roots.
func fill(name, kind string, bytes uint64, root func(q Mem, x reg.VecVirtual)) {
	TEXT(name, NOSPLIT, "func(dst []uint64, q []"+kind+", c *[23]float64)")
	Doc(name + " is Law.At for a whole number of eights.")
	Pragma("noescape")
	dst := Load(Param("dst").Base(), GP64())
	count := Load(Param("dst").Len(), GP64())
	q := Load(Param("q").Base(), GP64())
	c := Load(Param("c"), GP64())
	wide := func(at int) reg.VecVirtual {
		z := ZMM()
		VBROADCASTSD(Mem{Base: c, Disp: at}, z)
		return z
	}
	zstep, zgamma, zminusT, zleast := wide(step), wide(gamma), wide(minusT), wide(least)
	zlog2e, zln2hi, zln2lo, zscale, zfloor := wide(log2e), wide(ln2hi), wide(ln2lo), wide(scale), wide(floor)
	SHRQ(Imm(3), count)
	JEQ(LabelRef("done"))
	Label("eight")
	x, k, r, sum := ZMM(), ZMM(), ZMM(), ZMM()
	root(Mem{Base: q}, x)
	VMULPD(zstep, x, x)
	VMINPD(zgamma, x, x)
	VMULPD(zminusT, x, x)
	VMAXPD(zleast, x, x)
	VMULPD(zlog2e, x, k)
	VRNDSCALEPD(Imm(0), k, k) // to nearest, ties to even
	VMULPD(zln2hi, k, r)
	VSUBPD(r, x, r)
	VMULPD(zln2lo, k, x)
	VSUBPD(x, r, r)
	VBROADCASTSD(Mem{Base: c, Disp: series}, sum)
	for i := 1; i < terms; i++ {
		VMULPD(r, sum, sum)
		VADDPD_BCST(Mem{Base: c, Disp: series + 8*i}, sum, sum)
	}
	VCVTPD2QQ(k, k)
	VPSLLQ(Imm(52), k, k)
	VPADDQ(k, sum, sum) // times 2^k
	VMULPD(zscale, sum, sum)
	VCVTTPD2UQQ(sum, sum)
	VPMAXUQ(zfloor, sum, sum)
	VMOVDQU64(sum, Mem{Base: dst})
	ADDQ(Imm(bytes), q)
	ADDQ(Imm(64), dst)
	DECQ(count)
	JNE(LabelRef("eight"))
	Label("done")
	VZEROUPPER()
	RET()
}
