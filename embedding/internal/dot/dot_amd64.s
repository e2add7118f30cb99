#include "textflag.h"

// func int8x4AVX2(dst *int32, x *int16, y *int8, n, stride int)
TEXT ·int8x4AVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ stride+32(FP), DX
	LEAQ (SI)(DX*2), R9
	LEAQ (R9)(DX*2), R10
	LEAQ (R10)(DX*2), R11

row8:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  AX, AX

loop8:
	VPMOVSXBW (BX)(AX*1), Y4
	VPMADDWD  (SI)(AX*2), Y4, Y5
	VPMADDWD  (R9)(AX*2), Y4, Y6
	VPMADDWD  (R10)(AX*2), Y4, Y7
	VPMADDWD  (R11)(AX*2), Y4, Y8
	VPADDD    Y5, Y0, Y0
	VPADDD    Y6, Y1, Y1
	VPADDD    Y7, Y2, Y2
	VPADDD    Y8, Y3, Y3
	ADDQ      $16, AX
	CMPQ      AX, DX
	JLT       loop8

	// One sum of each accumulator, in order.
	VPHADDD      Y1, Y0, Y0
	VPHADDD      Y3, Y2, Y2
	VPHADDD      Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VMOVDQU      X0, (DI)
	ADDQ         $16, DI
	ADDQ         DX, BX
	DECQ         CX
	JNZ          row8
	VZEROUPPER
	RET

// func int8x1AVX2(x, y *int8, stride int) int32
TEXT ·int8x1AVX2(SB), NOSPLIT, $0-28
	MOVQ  x+0(FP), SI
	MOVQ  y+8(FP), BX
	MOVQ  stride+16(FP), DX
	VPXOR Y0, Y0, Y0
	XORQ  AX, AX

loop1:
	VPMOVSXBW (SI)(AX*1), Y4
	VPMOVSXBW (BX)(AX*1), Y5
	VPMADDWD  Y4, Y5, Y5
	VPADDD    Y5, Y0, Y0
	ADDQ      $16, AX
	CMPQ      AX, DX
	JLT       loop1

	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPHADDD      X0, X0, X0
	VPHADDD      X0, X0, X0
	VMOVD        X0, AX
	VZEROUPPER
	MOVL         AX, ret+24(FP)
	RET

// func float64x4AVX2(dst *float64, x *float64, y *float32, n, stride int)
TEXT ·float64x4AVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ stride+32(FP), DX
	LEAQ (SI)(DX*8), R9
	LEAQ (R9)(DX*8), R10
	LEAQ (R10)(DX*8), R11

rowd:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	XORQ   AX, AX

loopd:
	VCVTPS2PD   (BX)(AX*4), Y4
	VCVTPS2PD   16(BX)(AX*4), Y5
	VFMADD231PD (SI)(AX*8), Y4, Y0
	VFMADD231PD (R9)(AX*8), Y4, Y1
	VFMADD231PD (R10)(AX*8), Y4, Y2
	VFMADD231PD (R11)(AX*8), Y4, Y3
	VFMADD231PD 32(SI)(AX*8), Y5, Y8
	VFMADD231PD 32(R9)(AX*8), Y5, Y9
	VFMADD231PD 32(R10)(AX*8), Y5, Y10
	VFMADD231PD 32(R11)(AX*8), Y5, Y11
	ADDQ        $8, AX
	CMPQ        AX, DX
	JLT         loopd

	VADDPD Y8, Y0, Y0
	VADDPD Y9, Y1, Y1
	VADDPD Y10, Y2, Y2
	VADDPD Y11, Y3, Y3

	// Y0 = [a0+a1, b0+b1, a2+a3, b2+b3], Y2 likewise for c and d.
	VHADDPD      Y1, Y0, Y0
	VHADDPD      Y3, Y2, Y2
	VPERM2F128   $0x21, Y2, Y0, Y4 // high half of Y0, low half of Y2
	VBLENDPD     $0x0C, Y2, Y0, Y5 // low half of Y0, high half of Y2
	VADDPD       Y4, Y5, Y0
	VMOVUPD      Y0, (DI)
	ADDQ         $32, DI
	LEAQ         (BX)(DX*4), BX
	DECQ         CX
	JNZ          rowd
	VZEROUPPER
	RET
