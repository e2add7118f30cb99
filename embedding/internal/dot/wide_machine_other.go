//go:build !amd64

package dot

// wideKernels lists the implementations that this machine can run.
func wideKernels() []*wideKernel { return []*wideKernel{&plainWide} }
