package gemm

import "golang.org/x/sys/cpu"

//go:generate go -C ../assembly run ./gemm -out ../gemm/tile_amd64.s -stubs ../gemm/tile_amd64.go -pkg gemm

var avx512 = Kernels[float32]{
	Name: "avx512", width: 32,
	tiles: []tile[float32]{
		{12, tileAVX512x12}, {8, tileAVX512x8}, {4, tileAVX512x4}, {2, tileAVX512x2}, {1, tileAVX512x1},
	},
}

var avx2 = Kernels[float32]{
	Name: "avx2", width: 16,
	tiles: []tile[float32]{{6, tileAVX2x6}, {4, tileAVX2x4}, {2, tileAVX2x2}, {1, tileAVX2x1}},
}

func machine() (ks []*Kernels[float32]) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ks = append(ks, &avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, &avx2)
	}
	return ks
}
