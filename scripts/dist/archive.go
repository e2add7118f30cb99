package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"path"
	"slices"
	"time"
)

// sorted returns the files by name, under a folder.
func sorted(folder string, files []file) []file {
	list := slices.Clone(files)
	for i := range list {
		list[i].name = path.Join(folder, list[i].name)
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return list
}

func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// tarball returns a compressed archive of files in one folder. It depends on nothing else.
func tarball(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range sorted(folder, files) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: f.mode(), ModTime: when, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// zipped is tarball for Windows.
func zipped(folder string, files []file, when time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range sorted(folder, files) {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		part, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// gzipped compresses one file, as Debian wants manual pages.
func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
