// Command chacha writes the assembly of package chacha: the 16 blocks of a key at
// once, one in each lane of a register.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	lanes := GLOBL("lanes", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(uint32(i)))
	}
	TEXT("fillAVX512", NOSPLIT, "func(dst *[128]uint64, key *[4]uint64)")
	Doc("fillAVX512 is fillGo.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	key := Load(Param("key"), GP64())
	var b [16]reg.VecVirtual
	for i := range b {
		b[i] = ZMM()
		switch {
		case i < 4:
			each := GP32()
			MOVL(U32([]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}[i]), each)
			VPBROADCASTD(each, b[i])
		case i < 12:
			VPBROADCASTD(Mem{Base: key, Disp: 4 * (i - 4)}, b[i])
		case i == 12:
			VMOVDQU32(lanes, b[i])
		default:
			VPXORD(b[i], b[i], b[i])
		}
	}
	for range 4 {
		for _, shift := range []int{0, 1} { // columns, then diagonals
			var quarters [4][4]reg.VecVirtual
			for q := range quarters {
				for row := range 4 {
					quarters[q][row] = b[4*row+(q+shift*row)%4]
				}
			}
			round(quarters)
		}
	}
	for i := 4; i < 12; i++ {
		VPADDD_BCST(Mem{Base: key, Disp: 4 * (i - 4)}, b[i], b[i])
	}
	for i := 0; i < 16; i += 4 {
		// Four lanes of each of four words are 64 bytes of the output.
		for group, z := range transpose(b[i], b[i+1], b[i+2], b[i+3]) {
			VMOVDQU32(z, Mem{Base: dst, Disp: 256*group + 16*i})
		}
	}
	VZEROUPPER()
	RET()
	Generate()
}

// round is four quarter rounds, side by side.
func round(quarters [4][4]reg.VecVirtual) {
	// mix is a += b; d = (d ^ a) <<< left.
	mix := func(a, b, d int, left uint64) {
		for _, q := range quarters {
			VPADDD(q[b], q[a], q[a])
		}
		for _, q := range quarters {
			VPXORD(q[a], q[d], q[d])
		}
		for _, q := range quarters {
			VPROLD(Imm(left), q[d], q[d])
		}
	}
	mix(0, 1, 3, 16)
	mix(2, 3, 1, 12)
	mix(0, 1, 3, 8)
	mix(2, 3, 1, 7)
}

// transpose takes registers of four quarters each, and returns the first quarters of
// all, the second quarters, and so on.
func transpose(a, b, c, d reg.VecVirtual) (out [4]reg.VecVirtual) {
	const lower, upper, even, odd = 0x44, 0xee, 0x88, 0xdd
	pairs := [4]reg.VecVirtual{ZMM(), ZMM(), ZMM(), ZMM()}
	VSHUFI32X4(Imm(lower), b, a, pairs[0])
	VSHUFI32X4(Imm(lower), d, c, pairs[1])
	VSHUFI32X4(Imm(upper), b, a, pairs[2])
	VSHUFI32X4(Imm(upper), d, c, pairs[3])
	for i := range out {
		out[i] = ZMM()
		VSHUFI32X4(Imm([]uint64{even, odd}[i%2]), pairs[i/2*2+1], pairs[i/2*2], out[i])
	}
	return out
}
