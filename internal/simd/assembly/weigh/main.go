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
	constants := []reg.VecVirtual{zstep, zgamma, zminusT, zleast, zlog2e, zln2hi, zln2lo, zscale, zfloor}
	weigh := func(chains int) {
		eights(chains, constants, Mem{Base: q}, Mem{Base: dst}, c, int(bytes), root)
		ADDQ(U32(uint32(chains)*uint32(bytes)), q)
		ADDQ(U32(uint32(chains)*64), dst)
	}
	SHRQ(Imm(3), count)
	SUBQ(Imm(together), count)
	JLT(LabelRef("rest"))
	Label("several")
	weigh(together)
	SUBQ(Imm(together), count)
	JGE(LabelRef("several"))
	Label("rest")
	ADDQ(Imm(together), count)
	JEQ(LabelRef("done"))
	Label("eight")
	weigh(1)
	DECQ(count)
	JNE(LabelRef("eight"))
	Label("done")
	VZEROUPPER()
	RET()
}

// together is the number of registers of weights that are computed side by side: one
// computation is a chain of operations that wait for each other.
const together = 6

// eights writes the weights of some registers, step by step.
func eights(chains int, constants []reg.VecVirtual, q, dst Mem, c reg.Register, bytes int, root func(Mem, reg.VecVirtual)) {
	zstep, zgamma, zminusT, zleast := constants[0], constants[1], constants[2], constants[3]
	zlog2e, zln2hi, zln2lo, zscale, zfloor := constants[4], constants[5], constants[6], constants[7], constants[8]
	x, k, sum := make([]reg.VecVirtual, chains), make([]reg.VecVirtual, chains), make([]reg.VecVirtual, chains)
	r := x // once k is known, only the rest of x is needed
	each := func(step func(i int)) {
		for i := range chains {
			step(i)
		}
	}
	each(func(i int) {
		x[i], k[i], sum[i] = ZMM(), ZMM(), ZMM()
		root(q.Offset(i*bytes), x[i])
	})
	each(func(i int) { VMULPD(zstep, x[i], x[i]) })
	each(func(i int) { VMINPD(zgamma, x[i], x[i]) })
	each(func(i int) { VMULPD(zminusT, x[i], x[i]) })
	each(func(i int) { VMAXPD(zleast, x[i], x[i]) })
	each(func(i int) { VMULPD(zlog2e, x[i], k[i]) })
	each(func(i int) { VRNDSCALEPD(Imm(0), k[i], k[i]) }) // to nearest, ties to even
	each(func(i int) { VMULPD(zln2hi, k[i], sum[i]) })
	each(func(i int) { VSUBPD(sum[i], x[i], r[i]) })
	each(func(i int) { VMULPD(zln2lo, k[i], sum[i]) })
	each(func(i int) { VSUBPD(sum[i], r[i], r[i]) })
	each(func(i int) { VBROADCASTSD(Mem{Base: c, Disp: series}, sum[i]) })
	for term := 1; term < terms; term++ {
		each(func(i int) { VMULPD(r[i], sum[i], sum[i]) })
		each(func(i int) { VADDPD_BCST(Mem{Base: c, Disp: series + 8*term}, sum[i], sum[i]) })
	}
	each(func(i int) { VCVTPD2QQ(k[i], k[i]) })
	each(func(i int) { VPSLLQ(Imm(52), k[i], k[i]) })
	each(func(i int) { VPADDQ(k[i], sum[i], sum[i]) }) // times 2^k
	each(func(i int) { VMULPD(zscale, sum[i], sum[i]) })
	each(func(i int) { VCVTTPD2UQQ(sum[i], sum[i]) })
	each(func(i int) { VPMAXUQ(zfloor, sum[i], sum[i]) })
	each(func(i int) { VMOVDQU64(sum[i], dst.Offset(64*i)) })
}
