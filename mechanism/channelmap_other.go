//go:build !unix

package mechanism

import "io"

// readChannel reads a channel file into memory.
func readChannel(f io.Reader) (*Compiled, error) { return readChannelBytes(f) }
