//go:build !amd64

package f32

func machine() []*Kernels { return nil }
