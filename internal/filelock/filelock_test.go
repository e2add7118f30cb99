package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLockIsHeldByOneOpenFileUntilItIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	lock := func(f *os.File, want bool) {
		t.Helper()
		if free, err := Lock(f); err != nil || free != want {
			t.Errorf("Lock returns %t, %v; want %t", free, err, want)
		}
	}
	first, second := open(), open()
	lock(first, true)
	lock(second, false)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	lock(second, true)
}

func TestLockIsSharedByThoseThatShareIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	lock := func(how func(*os.File) (bool, error), want bool) *os.File {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		if free, err := how(f); err != nil || free != want {
			t.Errorf("the lock is %t, %v; want %t", free, err, want)
		}
		return f
	}
	first, second := lock(Share, true), lock(Share, true)
	lock(Lock, false)
	for _, f := range []*os.File{first, second} {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	lock(Lock, true)
	lock(Share, false)
}
