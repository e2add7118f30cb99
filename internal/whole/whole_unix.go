//go:build !windows

package whole

import "github.com/google/renameio/v2"

// File is a file that is being written.
type File = renameio.PendingFile

// Create begins a file that is to stand at path. A new one has the usual
// permissions; one that is replaced keeps its own.
func Create(path string) (*File, error) {
	return renameio.NewPendingFile(path, renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
}
