package adam

import "golang.org/x/sys/cpu"

//go:generate go -C ../assembly run ./adam -out ../adam/step_amd64.s -stubs ../adam/step_amd64.go -pkg adam

func machine() []kernel {
	if cpu.X86.HasAVX2 {
		return []kernel{{"avx2", 8, stepAVX2}}
	}
	return nil
}
