//go:build !unix

package mechanism

import "os"

// OpenCompiled reads a channel file.
func OpenCompiled(path string) (*Compiled, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ReadCompiled(data)
}
