package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Only what a killed process left of this very file is removed: never a file that is being
// written, and never another name.
func TestSweepRemovesOnlyWhatWasLeft(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	live, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	left := []string{".a.txt.sotto-1", ".a.txt.sotto-123456"}
	kept := []string{"a.txt", ".a.txt123", ".a.txt.sotto-", ".a.txt.sotto-12x", ".b.txt.sotto-1", "a.txt.sotto-1", filepath.Base(live.Name())}
	for _, name := range append(left, kept[:6]...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".a.txt.sotto-77"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".a.txt.sotto-99"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Sweep(dir, []string{"a.txt", "c.txt"}, ".a.txt.sotto-99"); err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range append(kept, ".a.txt.sotto-77", ".a.txt.sotto-99") {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is removed", name)
		}
	}
	if err := live.CloseAtomicallyReplace(); err != nil {
		t.Errorf("the file that was being written: %v", err)
	}
	if err := Sweep(filepath.Join(dir, "no folder"), []string{"a.txt"}); err != nil {
		t.Error(err)
	}
}

// A link that leads nowhere is neither replaced nor followed.
func TestDanglingLinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	link, other := filepath.Join(dir, "link"), filepath.Join(dir, "other")
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, []byte("x")); !errors.Is(err, ErrDangling) {
		t.Errorf("the link is written: %v", err)
	}
	if to, err := os.Readlink(link); err != nil || to != other {
		t.Errorf("the link leads to %q (%v)", to, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%d files (%v)", len(entries), err)
	}
}

// A file beside a temporary one goes only when that has gone.
func TestSweepBesideKeepsWhatIsInUse(t *testing.T) {
	dir := t.TempDir()
	live, err := Create(filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Cleanup() //nolint:errcheck // at the end of the test
	kept := []string{filepath.Base(live.Name()) + "-journal", "a.db-journal", ".a.db.sotto-1-other", ".b.db.sotto-1-journal"}
	gone := ".a.db.sotto-1-journal"
	for _, name := range append(kept, gone) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := SweepBeside(dir, "a.db", "-journal"); err != nil {
		t.Fatal(err)
	}
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, gone)); err == nil {
		t.Errorf("%s is left", gone)
	}
}
