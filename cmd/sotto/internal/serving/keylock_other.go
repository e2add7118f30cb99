//go:build !unix

package serving

import "context"

// lockFolder locks nothing: folders have no locks here.
func lockFolder(context.Context, string) (unlock func(), err error) { return func() {}, nil }
