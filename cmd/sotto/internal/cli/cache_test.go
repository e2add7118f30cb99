package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
)

func TestCacheFileIsBelievedOnlyFromThisUsersPrograms(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	dir := filepath.Join(t.TempDir(), "cache")
	open := func() fileCache {
		c, err := openCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := open()
	c.Put("a", []byte(`{"nominal":1}`))
	c.Put("two lines", []byte("1\n2"))
	if v, ok := open().Get("a"); !ok || string(v) != `{"nominal":1}` {
		t.Fatalf("gets %q, %v", v, ok)
	}
	if _, ok := c.Get("two lines"); ok {
		t.Error("a value of two lines is kept")
	}
	path := c.path("a")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v (%v), want %v", name, info.Mode(), err, mode)
		}
	}
	write := func(path string, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for at := range good {
		bad := bytes.Clone(good)
		bad[at] ^= 1
		write(path, bad)
		if v, ok := c.Get("a"); ok {
			t.Errorf("with byte %d changed it gives %q", at, v)
		}
	}
	write(path, good[:len(good)-1])
	if _, ok := c.Get("a"); ok {
		t.Error("without its end it is believed")
	}
	write(path, good)
	write(c.path("b"), good)
	if _, ok := c.Get("b"); ok {
		t.Error("a file is believed under another key")
	}
	if err := os.Chmod(path, 0o620); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("a"); ok {
		t.Error("a file that others may write is believed")
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	asRoot := os.Geteuid() == 0
	if asRoot {
		if err := os.Chown(path, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Get("a"); ok {
			t.Error("another user's file is believed")
		}
		if err := os.Chown(path, 0, 0); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Get("a"); !ok {
			t.Error("this user's file is not believed")
		}
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	open()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("an open folder stays %v", info.Mode())
	}
	t.Setenv("SOTTO_HOME", t.TempDir())
	if _, ok := open().Get("a"); ok {
		t.Error("what another user's key made is believed")
	}
	if !asRoot {
		t.Skip("only root may give files and folders away")
	}
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if _, err := openCache(dir); err == nil {
		t.Error("another user's folder is used")
	}
}

// Whatever is written into the cache folder, the same channel opens and the statement has
// the same certificate.
func TestEditedCacheChangesNothing(t *testing.T) {
	t.Setenv("SOTTO_HOME", t.TempDir())
	dir := t.TempDir()
	english, err := builtin.English()
	if err != nil {
		t.Fatal(err)
	}
	table, err := english.First(300)
	if err != nil {
		t.Fatal(err)
	}
	statement := func() sotto.Statement {
		cache, err := openCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := sotto.Open(context.Background(), sotto.Config{Table: table, Mechanism: "exponential", Epsilon: 1, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		return r.Statement(sotto.Counts{})
	}
	first := statement()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the cache holds %q (%v)", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.Replace(data, []byte(`"nominal":`), []byte(`"nominal":1`), 1)
	if bytes.Equal(edited, data) {
		t.Fatal("nothing is edited")
	}
	if err := os.WriteFile(files[0], edited, 0o600); err != nil {
		t.Fatal(err)
	}
	again := statement()
	if a, b := first.Certificate, again.Certificate; a.MetricEpsilon != b.MetricEpsilon || a.Parameters["t"] != b.Parameters["t"] || b.Source != mechanism.Computed {
		t.Errorf("with an edited cache %+v, was %+v", b, a)
	}
}
