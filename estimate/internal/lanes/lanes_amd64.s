#include "textflag.h"

// n is positive in all of these; an entry of a wide slice is 64 bytes.

// func gatherAVX2(sum *Wide, at *uint32, more *float32, src *Wide, n int)
TEXT ·gatherAVX2(SB), NOSPLIT, $0-40
	MOVQ sum+0(FP), DI
	MOVQ at+8(FP), SI
	MOVQ more+16(FP), DX
	MOVQ src+24(FP), BX
	MOVQ n+32(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ $2, CX
	JL gatherlast
gatherpair:
	MOVL (SI), AX
	MOVL 4(SI), R8
	SHLQ $6, AX
	SHLQ $6, R8
	VBROADCASTSS (DX), X8
	VBROADCASTSS 4(DX), X9
	VCVTPS2PD X8, Y8
	VCVTPS2PD X9, Y9
	VFMADD231PD (BX)(AX*1), Y8, Y0
	VFMADD231PD 32(BX)(AX*1), Y8, Y1
	VFMADD231PD (BX)(R8*1), Y9, Y2
	VFMADD231PD 32(BX)(R8*1), Y9, Y3
	ADDQ $8, SI
	ADDQ $8, DX
	SUBQ $2, CX
	JGE gatherpair
gatherlast:
	ADDQ $2, CX
	JZ gatherend
	MOVL (SI), AX
	SHLQ $6, AX
	VBROADCASTSS (DX), X8
	VCVTPS2PD X8, Y8
	VFMADD231PD (BX)(AX*1), Y8, Y0
	VFMADD231PD 32(BX)(AX*1), Y8, Y1
gatherend:
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func gatherAllAVX2(sum *Wide, at *uint32, src *Wide, n int)
TEXT ·gatherAllAVX2(SB), NOSPLIT, $0-32
	MOVQ sum+0(FP), DI
	MOVQ at+8(FP), SI
	MOVQ src+16(FP), BX
	MOVQ n+24(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ $2, CX
	JL gatheralllast
gatherallpair:
	MOVL (SI), AX
	MOVL 4(SI), R8
	SHLQ $6, AX
	SHLQ $6, R8
	VADDPD (BX)(AX*1), Y0, Y0
	VADDPD 32(BX)(AX*1), Y1, Y1
	VADDPD (BX)(R8*1), Y2, Y2
	VADDPD 32(BX)(R8*1), Y3, Y3
	ADDQ $8, SI
	SUBQ $2, CX
	JGE gatherallpair
gatheralllast:
	ADDQ $2, CX
	JZ gatherallend
	MOVL (SI), AX
	SHLQ $6, AX
	VADDPD (BX)(AX*1), Y0, Y0
	VADDPD 32(BX)(AX*1), Y1, Y1
gatherallend:
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET

// func scatterAVX2(dst *Wide, at *uint32, more *float32, s *Wide, n int)
TEXT ·scatterAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), BX
	MOVQ at+8(FP), SI
	MOVQ more+16(FP), DX
	MOVQ s+24(FP), DI
	MOVQ n+32(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
scatter:
	MOVL (SI), AX
	SHLQ $6, AX
	VBROADCASTSS (DX), X8
	VCVTPS2PD X8, Y8
	VMOVUPD (BX)(AX*1), Y2
	VMOVUPD 32(BX)(AX*1), Y3
	VFMADD231PD Y0, Y8, Y2
	VFMADD231PD Y1, Y8, Y3
	VMOVUPD Y2, (BX)(AX*1)
	VMOVUPD Y3, 32(BX)(AX*1)
	ADDQ $4, SI
	ADDQ $4, DX
	SUBQ $1, CX
	JNZ scatter
	VZEROUPPER
	RET

// func scatterAllAVX2(dst *Wide, at *uint32, s *Wide, n int)
TEXT ·scatterAllAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), BX
	MOVQ at+8(FP), SI
	MOVQ s+16(FP), DI
	MOVQ n+24(FP), CX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
scatterall:
	MOVL (SI), AX
	SHLQ $6, AX
	VADDPD (BX)(AX*1), Y0, Y2
	VADDPD 32(BX)(AX*1), Y1, Y3
	VMOVUPD Y2, (BX)(AX*1)
	VMOVUPD Y3, 32(BX)(AX*1)
	ADDQ $4, SI
	SUBQ $1, CX
	JNZ scatterall
	VZEROUPPER
	RET
