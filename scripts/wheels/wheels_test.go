package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
)

func packageOf(t *testing.T) sources {
	t.Helper()
	s, err := readPackage("../../python")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The record of a wheel names every file with its digest and size, as the specification
// asks, and installers check.
func TestWheelsAreWhole(t *testing.T) {
	s := packageOf(t)
	for _, p := range platforms {
		program := []byte("the program for " + p.os)
		data, err := wheel(s, p, program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		const info = "sotto-" + sotto.Version + ".dist-info/"
		files := map[string][]byte{}
		for _, f := range r.File {
			if files[f.Name] != nil || !f.Modified.Equal(epoch) {
				t.Errorf("%s: %s is there twice, or of %v", wheelName(p), f.Name, f.Modified)
			}
			if executable := f.Mode()&0o111 != 0; executable != strings.HasPrefix(f.Name, "sotto/bin/") || f.Mode()&fs.ModeType != 0 {
				t.Errorf("%s: %s has mode %v", wheelName(p), f.Name, f.Mode())
			}
			files[f.Name] = contents(t, f.Open)
		}
		record, err := csv.NewReader(bytes.NewReader(files[info+"RECORD"])).ReadAll()
		if err != nil || len(record) != len(files) {
			t.Fatalf("%s: the record names %d of %d files (%v)", wheelName(p), len(record), len(files), err)
		}
		for _, line := range record {
			body, ok := files[line[0]]
			sum := sha256.Sum256(body)
			want := []string{line[0], "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]), strconv.Itoa(len(body))}
			if line[0] == info+"RECORD" {
				want = []string{line[0], "", ""}
			}
			if !ok || !slices.Equal(line, want) {
				t.Errorf("%s: the record says %q, want %q", wheelName(p), line, want)
			}
		}
		binary := "sotto/bin/sotto"
		if p.os == "windows" {
			binary += ".exe"
		}
		if !bytes.Equal(files[binary], program) {
			t.Errorf("%s: %s is not the program", wheelName(p), binary)
		}
		for _, tag := range p.tags {
			if !strings.Contains(string(files[info+"WHEEL"]), "Tag: py3-none-"+tag+"\n") || !strings.Contains(wheelName(p), tag) {
				t.Errorf("%s: tag %s is missing", wheelName(p), tag)
			}
		}
		for _, name := range []string{"sotto/__init__.py", "sotto/py.typed", "sotto/sklearn.py", "sotto_verify.py", info + "METADATA", info + "LICENSE"} {
			if _, ok := files[name]; !ok {
				t.Errorf("%s: %s is missing", wheelName(p), name)
			}
		}
	}
}

func TestArchivesAreTheSameEachTime(t *testing.T) {
	make := func() (all []byte) {
		s := packageOf(t)
		data, err := wheel(s, platforms[0], []byte("program"))
		if err != nil {
			t.Fatal(err)
		}
		source, err := sourceDistribution(s)
		if err != nil {
			t.Fatal(err)
		}
		return append(data, source...)
	}
	if !bytes.Equal(make(), make()) {
		t.Error("two builds differ")
	}
}

func TestSourceDistributionSaysWhatItNeeds(t *testing.T) {
	data, err := sourceDistribution(packageOf(t))
	if err != nil {
		t.Fatal(err)
	}
	compressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(h.Name, "sotto-"+sotto.Version+"/")] = string(body)
	}
	for _, name := range []string{"PKG-INFO", "pyproject.toml", "README.md", "LICENSE", "sotto/__init__.py", "sotto/py.typed", "tests/conftest.py"} {
		if files[name] == "" && name != "sotto/py.typed" {
			t.Errorf("%s is missing", name)
		}
	}
	info := files["PKG-INFO"]
	if !strings.Contains(info, "\nRequires-External: sotto (=="+sotto.Version+")\n") || !strings.Contains(info, "SOTTO_BINARY") {
		t.Errorf("the metadata does not say that the program is needed:\n%s", info)
	}
	for name := range files {
		if strings.Contains(name, "bin/") || strings.Contains(name, "__pycache__") {
			t.Errorf("%s is in the source distribution", name)
		}
	}
}

func TestPackageOfAnotherVersionIsRefused(t *testing.T) {
	s := packageOf(t)
	s.module["sotto/_version.py"] = []byte("__version__ = \"9.9.9\"\n")
	if s.checkVersion() == nil {
		t.Error("no error")
	}
}

func contents(t *testing.T, open func() (io.ReadCloser, error)) []byte {
	t.Helper()
	r, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
