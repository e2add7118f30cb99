//go:build !amd64

package rounding

func machine() *kernels { return &plain }
