//go:build !unix

package runkey

import (
	"io/fs"
	"os"
)

func openKey(path string) (*os.File, error) { return os.Open(path) }

// private refuses nothing: here files have no modes, and the folder is in the user's own
// profile.
func private(string, fs.FileInfo) error { return nil }
