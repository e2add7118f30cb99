//go:build !amd64

package chacha

// Fast reports whether there is a kernel.
func Fast() bool { return false }

func fill(_ *[Words]uint64, _ *[4]uint64) bool { return false }
