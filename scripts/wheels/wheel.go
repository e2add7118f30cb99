package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/sotto-dp/sotto"
)

// epoch is the time of every file in an archive: the first that zip can hold.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// wheelName returns the name of a platform's wheel. The format is described in the
// specification "Binary distribution format" of packaging.python.org.
func wheelName(p platform) string {
	return fmt.Sprintf("sotto-%s-py3-none-%s.whl", sotto.Version, strings.Join(p.tags, "."))
}

// wheel returns the wheel of a platform with its program.
func wheel(s sources, p platform, program []byte) ([]byte, error) {
	info := "sotto-" + sotto.Version + ".dist-info"
	binary := "sotto/bin/sotto"
	if p.os == "windows" {
		binary += ".exe"
	}
	about := "Wheel-Version: 1.0\nGenerator: sotto\nRoot-Is-Purelib: false\n"
	for _, tag := range p.tags {
		about += "Tag: py3-none-" + tag + "\n"
	}
	files := append(sorted(s.module, ""), file{binary, program, 0o755},
		file{verifier, s.beside[verifier], 0o644},
		file{path.Join(info, "LICENSE"), s.beside["LICENSE"], 0o644},
		file{path.Join(info, "METADATA"), s.metadata(), 0o644},
		file{path.Join(info, "WHEEL"), []byte(about), 0o644},
		file{path.Join(info, "entry_points.txt"), []byte("[console_scripts]\nsotto = sotto._binary:main\n"), 0o644})
	record := path.Join(info, "RECORD")
	files = append(files, file{record, recordOf(files, record), 0o644})
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(f.mode)
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// recordOf returns the RECORD of files: for each its digest and its size.
func recordOf(files []file, record string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&b, "%s,,\n", record)
	return b.Bytes()
}

// sourceDistribution returns the archive of the sources. It has no program: whoever
// installs it needs one on the PATH.
func sourceDistribution(s sources) ([]byte, error) {
	top := "sotto-" + sotto.Version
	files := append(sorted(s.module, top), sorted(s.beside, top)...)
	needs := "Requires-External: sotto (==" + sotto.Version + ")"
	files = append(files, file{path.Join(top, "PKG-INFO"), s.metadata(needs), 0o644})
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	w := tar.NewWriter(compressed)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: epoch, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return out.Bytes(), err
}
