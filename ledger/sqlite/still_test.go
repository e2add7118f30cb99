//go:build unix

package sqlite

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/ledger"
)

// unprivileged runs a test as a user whom access rights bind. It reports whether this process
// is that of such a user, and so runs the test.
func unprivileged(t *testing.T) bool {
	t.Helper()
	if os.Geteuid() != 0 {
		return true
	}
	self, err := os.Executable()
	do(t, err)
	dir := t.TempDir()
	copied := filepath.Join(dir, "test") // the folder of the test's program is private
	from, err := os.Open(self)
	do(t, err)
	defer from.Close()
	to, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE, 0o755)
	do(t, err)
	_, err = io.Copy(to, from)
	do(t, errors.Join(err, to.Close()))
	do(t, os.Chmod(filepath.Dir(dir), 0o755))
	place := filepath.Join(dir, "tmp")
	do(t, os.Mkdir(place, 0o700))
	do(t, os.Chown(place, 65534, 65534))
	cmd := exec.CommandContext(t.Context(), copied, "-test.run=^"+t.Name()+"$")
	cmd.Dir, cmd.Env = place, append(os.Environ(), "TMPDIR="+place, "HOME="+place)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as another user: %v\n%s", err, out)
	}
	return false
}

// readable opens a ledger for reading.
func readable(t *testing.T, path string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Config{Store: open(t, Config{Path: path, ReadOnly: true})})
	do(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestLedgerThatMayNotBeWrittenIsRead(t *testing.T) {
	if !unprivileged(t) {
		return
	}
	for _, c := range []struct {
		name         string
		file, folder fs.FileMode
	}{{"the file", 0o400, 0o700}, {"the folder", 0o600, 0o500}, {"both", 0o400, 0o500}} {
		t.Run(c.name, func(t *testing.T) {
			l, path := begun(t)
			dir := filepath.Dir(path)
			do(t, l.Close())
			old := time.Now().Add(-time.Hour)
			do(t, os.Chtimes(path, old, old)) // some file systems count seconds
			do(t, errors.Join(os.Chmod(path, c.file), os.Chmod(dir, c.folder)))
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })

			read := readable(t, path)
			if v, err := read.Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges != 1 {
				t.Errorf("the ledger holds %+v (%v), want the one charge", v, err)
			}
			to := filepath.Join(t.TempDir(), "copy.db")
			do(t, Backup(t.Context(), path, to))
			if v, err := readable(t, to).Verify(t.Context(), ledger.Hash{}); err != nil || v.Charges != 1 {
				t.Errorf("the copy holds %+v (%v), want the one charge", v, err)
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
				t.Errorf("reading made %q", files)
			}

			// Another user writes to it meanwhile.
			do(t, errors.Join(os.Chmod(dir, 0o700), os.Chmod(path, 0o600)))
			writer := opened(t, open(t, Config{Path: path}))
			do(t, errors.Join(one(writer, "second"), writer.Close()))
			if _, err := read.Verify(t.Context(), ledger.Hash{}); !errors.Is(err, errWritten) {
				t.Errorf("a ledger that was written to meanwhile is read: %v", err)
			}
		})
	}
}

// A log with charges that the file lacks is never skipped.
func TestLogIsReadOrNothing(t *testing.T) {
	if !unprivileged(t) {
		return
	}
	_, path := begun(t) // its log has the charge
	copied := filepath.Join(t.TempDir(), "in", "ledger.db")
	dir := filepath.Dir(copied)
	do(t, os.Mkdir(dir, 0o700))
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + end)
		do(t, err)
		do(t, os.WriteFile(copied+end, data, 0o400))
	}
	do(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	_, err := Open(t.Context(), Config{Path: copied, ReadOnly: true})
	if err == nil || !strings.Contains(err.Error(), "run this as a user who may write") {
		t.Errorf("a ledger with a log that cannot be read gives %v", err)
	}
	do(t, os.Chmod(copied, 0))
	if _, err := Open(t.Context(), Config{Path: copied, ReadOnly: true}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a ledger of another user gives %v", err)
	}
}
