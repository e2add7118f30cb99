package simd

import "golang.org/x/sys/cpu"

func detect() Level {
	switch x := cpu.X86; {
	case !x.HasAVX2 || !x.HasFMA:
		return Plain
	case !x.HasAVX512F || !x.HasAVX512DQ:
		return AVX2
	case !x.HasAVX512VNNI || !x.HasAVX512BW:
		return AVX512
	}
	return VNNI
}
