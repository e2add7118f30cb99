package runkey

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// DrawPath returns the path of the key of a run's draws: beside the user's key, in the
// folder runs. Run is the run's random name, which may be public. RUN/SHARE names the key of
// a process that shares the run with others.
func DrawPath(run string) (string, error) {
	path, err := Path()
	if err != nil {
		return "", err
	}
	run, share, ok := strings.Cut(run, "/")
	name := digits(run) // a record that names a run may be forged
	if ok {
		name += "-" + digits(share)
	}
	return filepath.Join(filepath.Dir(path), "runs", name+extension), nil
}

const extension = ".key"

func digits(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// Draw returns the key of a run's draws, 32 random bytes in a file of mode 0600, which it
// makes if there is none. The draws of an interrupted file can be made again as long as the
// file is there. Whoever has it and the outputs has the inputs: it is as secret as they
// are, and [EndDraws] removes it with the end of the run.
func Draw(run string) ([]byte, error) {
	path, err := DrawPath(run)
	if err != nil {
		return nil, err
	}
	key, err := readOrCreate(path)
	if err != nil {
		return nil, fmt.Errorf("the key of the run's draws: %w", err)
	}
	return key, nil
}

// FindDraw is Draw for a process that must not make a key: it returns nil if this machine
// has none.
func FindDraw(run string) ([]byte, error) {
	path, err := DrawPath(run)
	if err != nil {
		return nil, nil // no place, so no key
	}
	key, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the key of the run's draws: %w", err)
	}
	return key, nil
}

// EndDraws removes the key of a run's draws, if there is one, with the keys of its shares and
// what killed processes left of them: a file that was to become the key may be the key under
// another name. What the run drew can then be drawn again by nobody.
func EndDraws(run string) error {
	path, err := DrawPath(run)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	of := strings.TrimSuffix(filepath.Base(path), extension)
	for _, e := range entries {
		if !strings.HasPrefix(strings.TrimPrefix(e.Name(), "."), of) {
			continue
		}
		if gone := os.Remove(filepath.Join(filepath.Dir(path), e.Name())); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		return fmt.Errorf("the key of the run's draws: %w", err)
	}
	return nil
}
