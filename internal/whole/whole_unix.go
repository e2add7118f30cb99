//go:build !windows

package whole

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// File is a file that is being written.
type File = renameio.PendingFile

// Create begins a file that is to stand at path. A new one has the usual
// permissions; one that is replaced keeps its own. Until then it lies beside path
// under a hidden name: a dot, the name, and digits.
func Create(path string) (*File, error) {
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)), renameio.WithPermissions(0o644), renameio.WithExistingPermissions())
}
