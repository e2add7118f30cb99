package exponential

import "golang.org/x/sys/cpu"

//go:generate go -C ../assembly run ./exponential -out ../exponential/exp_amd64.s -stubs ../exponential/exp_amd64.go -pkg exponential

func machine() (ks []kernel) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ks = append(ks, kernel{"avx512", 16, expAVX512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, kernel{"avx2", 8, expAVX2})
	}
	return ks
}
