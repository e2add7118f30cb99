//go:build !amd64

package exponential

func machine() []kernel { return nil }
