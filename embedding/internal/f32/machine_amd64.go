package f32

import "golang.org/x/sys/cpu"

//go:generate go -C ../../../internal/assembly run ./nearest -out ../../embedding/internal/f32/lower_amd64.s -stubs ../../embedding/internal/f32/lower_amd64.go -pkg f32

var avx512 = Kernels{
	Name: "avx512", width: 32, lanes: 16,
	tiles: []tile{
		{12, lowerAVX512x12}, {8, lowerAVX512x8}, {4, lowerAVX512x4}, {2, lowerAVX512x2}, {1, lowerAVX512x1},
	},
	peak: peakAVX512, flops: 12 * 16 * 2,
}

var avx2 = Kernels{
	Name: "avx2", width: 16, lanes: 8,
	tiles: []tile{{6, lowerAVX2x6}, {4, lowerAVX2x4}, {2, lowerAVX2x2}, {1, lowerAVX2x1}},
	peak:  peakAVX2, flops: 12 * 8 * 2,
}

func machine() (ks []*Kernels) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ks = append(ks, &avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, &avx2)
	}
	return ks
}
