//go:build unix

package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sotto-dp/sotto/files/atomicfile"
)

// replaced replaces a file by one that takes over from it.
func replaced(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Cleanup() //nolint:errcheck // nothing is left behind
	if _, err := f.Write([]byte("new")); err != nil {
		return err
	}
	if err := f.TakeOver(); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

func TestFileTakesOverOwnerGroupAndMode(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED, NOT CHECKED: only root can give files away")
	}
	path := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, 1234, 4321); err != nil {
		t.Fatal(err)
	}
	if err := replaced(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 1234 || s.Gid != 4321 || info.Mode().Perm() != 0o640 {
		t.Errorf("the new file belongs to %d:%d, mode %v", s.Uid, s.Gid, info.Mode())
	}
}

func TestFileWithHardLinksIsNotTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if err := replaced(path); err != nil { // there is nothing to take over
		t.Fatal(err)
	}
	if err := os.Link(path, path+".link"); err != nil {
		t.Fatal(err)
	}
	if err := replaced(path); !errors.Is(err, atomicfile.ErrLinks) {
		t.Errorf("a file with two names is replaced: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
