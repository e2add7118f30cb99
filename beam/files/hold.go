package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/sotto-dp/sotto/run"
)

// locks are held by a process until its part of a run ends.
type locks []io.Closer

func (l locks) Close() error {
	var err error
	for _, c := range l {
		err = errors.Join(err, c.Close())
	}
	return err
}

// hold locks a local run. A process for the whole run has its record alone: it removes what
// others left. Processes that share a run hold the record together, and each has a file of its
// own alone, so that no part is drawn by two of them.
func (c Config) hold(ctx context.Context) (_ io.Closer, err error) {
	if c.Of == 0 {
		return run.Hold(c.at(RunName))
	}
	shared, err := run.Share(c.at(RunName))
	if err != nil {
		return nil, err
	}
	held := locks{shared}
	defer func() {
		if err != nil {
			_ = held.Close()
		}
	}()
	folder := filepath.Join(c.Output, recordsFolder)
	name := filepath.Join(folder, fmt.Sprintf("share-%d%s", c.Take, c.ending()))
	if err := first(ctx, name, nil); err != nil {
		return nil, err
	}
	own, err := run.Hold(name)
	if err != nil {
		return nil, err
	}
	held = append(held, own)
	return held, c.alike(folder)
}

// ending is the end of the names of the files that the shares of one number hold.
func (c Config) ending() string { return fmt.Sprintf("-of-%d.lock", c.Of) }

// alike refuses to run beside shares of another number, whose parts are partly the same. Each
// process holds its file before it looks for others, so that of two one sees the other.
func (c Config) alike(folder string) error {
	entries, err := c.beside()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "share-") || !strings.HasSuffix(e.Name(), ".lock") || strings.HasSuffix(e.Name(), c.ending()) {
			continue
		}
		for try := 0; ; try++ { // another process may be looking
			other, err := run.Hold(filepath.Join(folder, e.Name()))
			if err == nil {
				_ = other.Close()
				break
			}
			if try == 20 {
				return fmt.Errorf("%w: wait for it, or take shares of the same number", err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return nil
}
