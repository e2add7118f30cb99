// Package lab repeats, on real data, the experiments of the papers from which this
// project's mechanisms come, and reports which claims hold.
//
// A plan is one table or figure: a file of package plan. Its trials are small
// functions over a bench (tables, sets, opened mechanisms); each leaves one row
// in a store (package result), which is addressed by everything that it depends
// on. Package report makes a page, plots and CSV of the rows. See docs/results/lab.md.
package lab

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
)

//go:embed dataset/*.go metric/*.go model/*.go private/*.go experiment/*.go
var sources embed.FS

// began is what the digest begins with. Rows that 0.1.0 left began with its version.
const began = "0.1.0\n"

// Code returns the digest of the sources that figures depend on, without tests. It
// identifies rows that other code made. It does not include the version of the library, so
// a new version alone makes no row stale.
func Code() (string, error) { return digest(sources) }

func digest(files fs.FS) (string, error) {
	sum := sha256.New()
	sum.Write([]byte(began))
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		sum.Write([]byte(path + "\n"))
		sum.Write(data)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)[:8]), err
}
