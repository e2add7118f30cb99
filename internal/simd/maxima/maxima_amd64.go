package maxima

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./maxima -out ../maxima/maxima_amd64.s -stubs ../maxima/stubs_amd64.go -pkg maxima

var vnni = kernels{
	tiles: []rows{
		{12, maximaVNNIx12}, {8, maximaVNNIx8}, {4, maximaVNNIx4}, {2, maximaVNNIx2}, {1, maximaVNNIx1},
	},
	largest: 127,
	peaks:   peaksAVX2, over: overAVX2, fours: foursAVX2,
}

var avx2 = kernels{
	tiles:   []rows{{4, maximaAVX2x4}, {2, maximaAVX2x2}, {1, maximaAVX2x1}},
	largest: 63,
	peaks:   peaksAVX2, over: overAVX2, fours: foursAVX2,
}

func machine() *kernels {
	switch {
	case simd.Have(simd.VNNI):
		return &vnni
	case simd.Have(simd.AVX2):
		return &avx2
	}
	return &plain
}
