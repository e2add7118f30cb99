package maxima

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./maxima -out ../maxima/maxima_amd64.s -stubs ../maxima/stubs_amd64.go -pkg maxima

var vnni = kernels{
	tiles: []rows{
		{n: 12, narrow: maximaVNNIx12}, {n: 8, narrow: maximaVNNIx8}, {n: 4, narrow: maximaVNNIx4},
		{n: 2, narrow: maximaVNNIx2}, {n: 1, narrow: maximaVNNIx1},
	},
	peaks: peaksAVX2, over: overAVX2, fours: foursAVX2,
}

var avx2 = kernels{
	tiles: []rows{{n: 2, wide: maximaAVX2x2}},
	peaks: peaksAVX2, over: overAVX2, fours: foursAVX2,
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
