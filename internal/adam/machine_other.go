//go:build !amd64

package adam

func machine() []kernel { return nil }
