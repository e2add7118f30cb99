package dot

import "golang.org/x/sys/cpu"

//go:generate go -C ../../../internal/assembly run ./squares -out ../../embedding/internal/dot/squares_amd64.s -stubs ../../embedding/internal/dot/squares_amd64.go -pkg dot

// wideKernels lists the implementations that this machine can run, fastest first.
func wideKernels() (list []*wideKernel) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		list = append(list, &wideKernel{"avx512", 16, []wideTile{{12, squaresAVX512x12}, {8, squaresAVX512x8}, {4, squaresAVX512x4}, {1, squaresAVX512x1}}})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		list = append(list, &wideKernel{"avx2", 8, []wideTile{{5, squaresAVX2x5}, {2, squaresAVX2x2}, {1, squaresAVX2x1}}})
	}
	return append(list, &plainWide)
}
