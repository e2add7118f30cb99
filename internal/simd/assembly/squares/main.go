// Command squares writes the assembly of package squares: squared distances of
// rows of queries to panels of words, one function for each instruction set and
// tile height.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/sotto-dp/sotto/internal/simd/assembly/tiles"
)

func main() {
	ConstraintExpr("amd64")
	for _, s := range tiles.Sets(8, []int{12, 8, 4, 1}, []int{5, 2, 1}) {
		for _, rows := range s.Heights {
			squares(s, rows)
		}
	}
	products := constants()
	for _, rows := range []int{8, 4, 1} {
		halves(rows, products)
	}
	Generate()
}

// ahead is how far before its use a panel is fetched, in bytes.
const ahead = 1024

func squares(s tiles.Set, rows int) {
	name := fmt.Sprintf("squares%sx%d", s.Name, rows)
	TEXT(name, NOSPLIT, "func(dst, x, own []float64, panels []float32, norms []float64, dim, count, width int)")
	Doc(fmt.Sprintf("%s is squaresGo for %d rows and panels of %d words.", name, rows, 2*s.Lanes))
	Pragma("noescape")
	size := 8 * s.Lanes
	dst := Load(Param("dst").Base(), GP64())
	x := Load(Param("x").Base(), GP64())
	own := Load(Param("own").Base(), GP64())
	panel := Load(Param("panels").Base(), GP64())
	norms := Load(Param("norms").Base(), GP64())
	dim := Load(Param("dim"), GP64())
	count := Load(Param("count"), GP64())
	width := Load(Param("width"), GP64())
	SHLQ(Imm(3), width)

	sums := make([][2]reg.VecVirtual, rows)
	for r := range sums {
		sums[r] = [2]reg.VecVirtual{s.Register(), s.Register()}
	}
	words := [2]reg.VecVirtual{s.Register(), s.Register()}
	each := s.Register()
	at, k, row := GP64(), GP64(), GP64()

	Label("panel")
	for r := range sums {
		for z := range 2 {
			VXORPD(sums[r][z], sums[r][z], sums[r][z])
		}
	}
	MOVQ(x, at)
	MOVQ(dim, k)
	Label("component")
	for z := range 2 {
		VCVTPS2PD(Mem{Base: panel, Disp: z * size / 2}, words[z])
	}
	PREFETCHT0(Mem{Base: panel, Disp: ahead})
	for r := range sums {
		VBROADCASTSD(Mem{Base: at, Disp: 8 * r}, each)
		for z := range 2 {
			VFMADD231PD(words[z], each, sums[r][z])
		}
	}
	ADDQ(Imm(uint64(8*rows)), at)
	ADDQ(Imm(uint64(size)), panel)
	DECQ(k)
	JNE(LabelRef("component"))

	// own + norm - 2 sum: whole numbers throughout.
	for z := range 2 {
		VMOVUPD(Mem{Base: norms, Disp: z * size}, words[z])
	}
	MOVQ(dst, row)
	for r := range sums {
		VBROADCASTSD(Mem{Base: own, Disp: 8 * r}, each)
		for z := range 2 {
			VADDPD(sums[r][z], sums[r][z], sums[r][z])
			VSUBPD(sums[r][z], words[z], sums[r][z])
			VADDPD(sums[r][z], each, sums[r][z])
			VMOVUPD(sums[r][z], Mem{Base: row, Disp: z * size})
		}
		ADDQ(width, row)
	}
	ADDQ(Imm(uint64(2*size)), dst)
	ADDQ(Imm(uint64(2*size)), norms)
	DECQ(count)
	JNE(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
