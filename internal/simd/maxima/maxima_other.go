//go:build !amd64

package maxima

func machine() *kernels { return &plain }
