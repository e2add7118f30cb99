package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/sotto-dp/sotto/internal/whole"
)

// local tells whether a name is one of this machine's file system.
func local(name string) bool { return !strings.Contains(name, "://") }

func exists(ctx context.Context, name string) (bool, error) {
	if local(name) {
		_, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil, err
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return false, err
	}
	defer files.Close()
	found, err := files.List(ctx, name)
	return len(found) > 0, err
}

// writeOnce writes a file that appears whole, and leaves one that stands as it
// is: it was released first. Object stores show an object when its writer is
// closed; of two attempts at once there, the later takes the place of the
// earlier, and both were shown.
func writeOnce(ctx context.Context, name string, data []byte) error {
	if !local(name) {
		files, err := filesystem.New(ctx, name)
		if err != nil {
			return err
		}
		defer files.Close()
		return filesystem.Write(ctx, files, name, data)
	}
	f, err := whole.Create(name)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.CloseUnlessThere()
}
