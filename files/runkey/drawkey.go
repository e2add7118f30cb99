package runkey

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DrawPath returns the path of the key of a run's draws: beside the user's key, in the
// folder runs. Run is the run's random name, which may be public.
func DrawPath(run string) (string, error) {
	path, err := Path()
	if err != nil {
		return "", err
	}
	name := sha256.Sum256([]byte(run)) // a record that names a run may be forged
	return filepath.Join(filepath.Dir(path), "runs", hex.EncodeToString(name[:16])+".key"), nil
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

// EndDraws removes the key of a run's draws, if there is one. What the run drew can then
// be drawn again by nobody.
func EndDraws(run string) error {
	path, err := DrawPath(run)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the key of the run's draws: %w", err)
	}
	return nil
}
