package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var when = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

// An archive has all files in one folder, and does not depend on their order.
func TestArchivesDependOnTheirFilesAlone(t *testing.T) {
	files := []file{{"sotto", []byte("program"), true}, {"man/sotto.1", []byte("page"), false}, {"LICENSE", nil, false}}
	other := slices.Clone(files)
	slices.Reverse(other)
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": tarball, "zip": zipped} {
		a, err := pack("sotto_1", files, when)
		if err != nil {
			t.Fatal(err)
		}
		b, err := pack("sotto_1", other, when)
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: another order gives other bytes (%v)", name, err)
		}
	}
}

func TestTarballHasNamesModesAndTimes(t *testing.T) {
	data, err := tarball("sotto_1", []file{{"sotto", []byte("program"), true}, {"man/sotto.1", []byte("page"), false}}, when)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, want := range []struct {
		name string
		mode int64
		data string
	}{{"sotto_1/man/sotto.1", 0o644, "page"}, {"sotto_1/sotto", 0o755, "program"}} {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || h.Name != want.name || h.Mode != want.mode || string(got) != want.data || !h.ModTime.Equal(when) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%+v with %q (%v), want %+v", h, got, err, want)
		}
	}
}

func TestZipHasItsFiles(t *testing.T) {
	data, err := zipped("sotto_1", []file{{"sotto.exe", []byte("program"), true}}, when)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(r.File) != 1 || r.File[0].Name != "sotto_1/sotto.exe" || !r.File[0].Modified.Equal(when) {
		t.Fatalf("%v, %v", r, err)
	}
}

func TestDebianPaths(t *testing.T) {
	for name, want := range map[string]string{
		"man/sotto-units.7": "usr/share/man/man7/sotto-units.7.gz", "completions/sotto.bash": "usr/share/bash-completion/completions/sotto",
		"completions/_sotto": "usr/share/zsh/vendor-completions/_sotto", "completions/sotto.fish": "usr/share/fish/vendor_completions.d/sotto.fish",
	} {
		if got := debianPath(name); got != want {
			t.Errorf("%s is installed as %s, want %s", name, got, want)
		}
	}
}

func TestChecksumsCoverTheRelease(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"sotto_1.2.3_linux_amd64.tar.gz": "two", "sotto-1.2.3-py3-none-win_amd64.whl": "one", "sotto-1.2.3.tar.gz": "one",
		"SHA256SUMS": "old", "sotto_1.2.2_linux_amd64.tar.gz": "of another version", "sotto-1.2.30.tar.gz": "of another version", "notes": "no part",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := checksums(dir, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	const want = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  sotto-1.2.3-py3-none-win_amd64.whl\n" +
		"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  sotto-1.2.3.tar.gz\n" +
		"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3  sotto_1.2.3_linux_amd64.tar.gz\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
