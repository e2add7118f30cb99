// Package source identifies the code that trials run through, so that rows of other code are
// found.
package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const (
	module = "github.com/sotto-dp/sotto"
	trials = module + "/lab/experiment"
)

// listed is a package as `go list` describes it.
type listed struct {
	ImportPath, Dir                               string
	GoFiles, CgoFiles, SFiles, HFiles, EmbedFiles []string
	Module                                        *struct{ Path, Version string } // nil for the standard library
}

// Code returns the digest of the code that trials run through: package experiment, all
// packages of the repository that it imports, directly or not, with their embedded files, and
// the versions of other modules. Comments, layout and tests are no part of it. It reads the
// source on disk, of linux/amd64 on every platform, so that a row has one address.
func Code(ctx context.Context) (string, error) {
	packages, err := list(ctx)
	if err != nil {
		return "", err
	}
	return digest(packages)
}

// list asks the go command for the packages, in the module of the working directory.
func list(ctx context.Context) (packages []listed, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,CgoFiles,SFiles,HFiles,EmbedFiles,Module", trials)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(failed.Stderr))
		}
		return nil, fmt.Errorf("source: the address of a row needs the source: run in the folder lab of a clone, with the go command: go list: %w", err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("source: go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// digest returns the digest of packages, in whatever order they are listed.
func digest(packages []listed) (string, error) {
	parts := map[string]bool{}
	for _, p := range packages {
		switch {
		case p.Module == nil:
		case !within(p.ImportPath):
			parts[p.Module.Path+" "+p.Module.Version] = true
		default:
			sum, err := p.sum()
			if err != nil {
				return "", err
			}
			parts[p.ImportPath+" "+sum] = true
		}
	}
	sum := sha256.New()
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintln(sum, part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// within reports whether a package is of this repository.
func within(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }
