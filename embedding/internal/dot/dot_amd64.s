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

// func squares8VNNI(dst *uint32, x *int8, y *uint8, ny, cx *int32, blocks, quads, width int)
//
// Rows 0 to 7 of x against 16 words a block: accumulator Zr holds row r's products
// with the block's words. width is the distance of two rows of dst in elements.
TEXT ·squares8VNNI(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ ny+24(FP), R12
	MOVQ cx+32(FP), R13
	MOVQ blocks+40(FP), CX
	MOVQ quads+48(FP), DX
	MOVQ width+56(FP), R15
	SHLQ $2, R15
	LEAQ (SI)(DX*4), R8   // row 1 of x; rows are quads*4 bytes apart
	LEAQ (R8)(DX*4), R9
	LEAQ (R9)(DX*4), R10
	LEAQ (R10)(DX*4), R11 // row 4

block:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	XORQ   AX, AX
	MOVQ   R11, R14

quad:
	VMOVDQU32     (BX), Z8
	VPDPBUSD.BCST (SI)(AX*4), Z8, Z0
	VPDPBUSD.BCST (R8)(AX*4), Z8, Z1
	VPDPBUSD.BCST (R9)(AX*4), Z8, Z2
	VPDPBUSD.BCST (R10)(AX*4), Z8, Z3
	VPDPBUSD.BCST (R14), Z8, Z4
	VPDPBUSD.BCST (R14)(DX*4), Z8, Z5
	VPDPBUSD.BCST (R14)(DX*8), Z8, Z6
	LEAQ          (R14)(DX*8), R14
	VPDPBUSD.BCST (R14)(DX*4), Z8, Z7
	ADDQ          $64, BX
	INCQ          AX
	LEAQ          (R11)(AX*4), R14
	CMPQ          AX, DX
	JLT           quad

	// q = cx[r] + ny - 2 sum
	VMOVDQU32     (R12), Z8
	VPSLLD        $1, Z0, Z0
	VPSLLD        $1, Z1, Z1
	VPSLLD        $1, Z2, Z2
	VPSLLD        $1, Z3, Z3
	VPSLLD        $1, Z4, Z4
	VPSLLD        $1, Z5, Z5
	VPSLLD        $1, Z6, Z6
	VPSLLD        $1, Z7, Z7
	VPADDD.BCST   (R13), Z8, Z9
	VPADDD.BCST   4(R13), Z8, Z10
	VPADDD.BCST   8(R13), Z8, Z11
	VPADDD.BCST   12(R13), Z8, Z12
	VPADDD.BCST   16(R13), Z8, Z13
	VPADDD.BCST   20(R13), Z8, Z14
	VPADDD.BCST   24(R13), Z8, Z15
	VPADDD.BCST   28(R13), Z8, Z16
	VPSUBD        Z0, Z9, Z0
	VPSUBD        Z1, Z10, Z1
	VPSUBD        Z2, Z11, Z2
	VPSUBD        Z3, Z12, Z3
	VPSUBD        Z4, Z13, Z4
	VPSUBD        Z5, Z14, Z5
	VPSUBD        Z6, Z15, Z6
	VPSUBD        Z7, Z16, Z7
	MOVQ          DI, R14
	VMOVDQU32     Z0, (R14)
	VMOVDQU32     Z1, (R14)(R15*1)
	LEAQ          (R14)(R15*2), R14
	VMOVDQU32     Z2, (R14)
	VMOVDQU32     Z3, (R14)(R15*1)
	LEAQ          (R14)(R15*2), R14
	VMOVDQU32     Z4, (R14)
	VMOVDQU32     Z5, (R14)(R15*1)
	LEAQ          (R14)(R15*2), R14
	VMOVDQU32     Z6, (R14)
	VMOVDQU32     Z7, (R14)(R15*1)
	ADDQ          $64, DI
	ADDQ          $64, R12
	DECQ          CX
	JNZ           block
	VZEROUPPER
	RET
