package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// platforms are those that a release has.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// release is what all platforms share.
type release struct {
	folder  string
	version string
	commit  string    // empty without a history
	when    time.Time // of the commit; the time of all files
	pages   []file    // manual pages and completions
	texts   []file    // licences and documents
	tools   string    // the folder of cyclonedx-gomod and nfpm
}

// file is a file of an archive.
type file struct {
	name       string // slash-separated
	data       []byte
	executable bool
}

func (r *release) write(name string, data []byte) error {
	fmt.Printf("%s  %.1f MB\n", filepath.Join(r.folder, name), float64(len(data))/1e6)
	return os.WriteFile(filepath.Join(r.folder, name), data, 0o644)
}

// digest is a file of the release with its SHA-256.
type digest struct{ name, sum string }

// digests returns those of the files of one version in a folder, by name. Their names begin
// with sotto_VERSION_, those of wheels and of the source distribution with sotto-VERSION.
func digests(folder, version string) (list []digest, err error) {
	entries, err := os.ReadDir(folder) // sorted
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		archive := strings.HasPrefix(e.Name(), "sotto_"+version+"_")
		wheel := strings.HasPrefix(e.Name(), "sotto-"+version+"-") && strings.HasSuffix(e.Name(), ".whl")
		if !e.Type().IsRegular() || !archive && !wheel && e.Name() != "sotto-"+version+".tar.gz" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		list = append(list, digest{e.Name(), fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	return list, nil
}

// output runs a program and returns what it prints.
func output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, messages.String())
	}
	return string(out), nil
}
