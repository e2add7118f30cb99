//go:build unix

package serving

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/sotto-dp/sotto/internal/filelock"
)

// keysBusy is how long a command waits for another one that changes a file of keys, which
// takes milliseconds.
const keysBusy = 10 * time.Second

// lockFolder waits until no other command has the lock of a folder, and takes it. The
// folder has the lock, not a file in it, because files are replaced.
func lockFolder(ctx context.Context, folder string) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, keysBusy)
	defer cancel()
	f, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	for {
		free, err := filelock.Lock(f)
		if free && err == nil {
			return func() { _ = f.Close() }, nil
		}
		if err == nil {
			err = errors.New("another program holds the lock of the folder")
			select {
			case <-time.After(20 * time.Millisecond):
				continue
			case <-ctx.Done():
			}
		}
		_ = f.Close()
		return nil, err
	}
}
