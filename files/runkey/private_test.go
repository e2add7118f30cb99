//go:build unix

package runkey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key that another user may have read, or made, is no secret.
func TestKeyThatOthersCanReadIsRefused(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	user, err := Path()
	if err != nil {
		t.Fatal(err)
	}
	draw, err := DrawPath("run")
	if err != nil {
		t.Fatal(err)
	}
	for path, open := range map[string]func() error{
		user: func() error { _, err := Of("run"); return err },
		draw: func() error { _, err := Draw("run"); return err },
	} {
		refused := func(what, want string) {
			t.Helper()
			if err := open(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", what, err, want)
			}
		}
		if err := open(); err != nil {
			t.Fatal(err)
		}
		for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o601} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			refused(mode.String(), "others may have read it")
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := open(); err != nil {
			t.Errorf("with mode 0600: %v", err)
		}
		if os.Geteuid() == 0 {
			if err := os.Chown(path, 4711, -1); err != nil {
				t.Fatal(err)
			}
			refused("owner", "belongs to another user")
		}
		away := filepath.Join(t.TempDir(), "key")
		if err := os.Rename(path, away); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(away, path); err != nil {
			t.Fatal(err)
		}
		refused("link", "symbolic link")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		refused("folder", "not a regular file")
	}
}
