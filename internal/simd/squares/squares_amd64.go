package squares

import "github.com/sotto-dp/sotto/internal/simd"

//go:generate go -C ../assembly run ./squares -out ../squares/squares_amd64.s -stubs ../squares/stubs_amd64.go -pkg squares

var (
	vnni   = kernel{width: 16, tiles: []tile{{8, nil, halvesVNNIx8}, {4, nil, halvesVNNIx4}, {1, nil, halvesVNNIx1}}, halved: true}
	avx512 = kernel{width: 16, tiles: []tile{{12, squaresAVX512x12, nil}, {8, squaresAVX512x8, nil}, {4, squaresAVX512x4, nil}, {1, squaresAVX512x1, nil}}}
	avx2   = kernel{width: 8, tiles: []tile{{5, squaresAVX2x5, nil}, {2, squaresAVX2x2, nil}, {1, squaresAVX2x1, nil}}}
)

// machine returns the kernel for components that are at most largest in size.
func machine(dim int, largest float32) *kernel {
	switch {
	case simd.Have(simd.VNNI) && fitHalves(dim, largest):
		return &vnni
	case simd.Have(simd.AVX512):
		return &avx512
	case simd.Have(simd.AVX2):
		return &avx2
	}
	return &plain
}
