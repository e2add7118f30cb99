// Command modproxy packs modules of a checkout into a folder for GOPROXY, so that they can
// be required like published modules at a version that is not tagged yet.
//
//	modproxy -version v1.2.3 -out FOLDER . ./beam
//
// It packs the files that git does not ignore, committed or not.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	version := flag.String("version", "", "the version of all modules")
	out := flag.String("out", "", "the folder of the proxy, which is made")
	flag.Parse()
	for _, dir := range flag.Args() {
		if err := pack(dir, *version, *out); err != nil {
			fmt.Fprintf(os.Stderr, "modproxy: %s: %v\n", dir, err)
			os.Exit(1)
		}
	}
}

// pack writes what a proxy serves of a module: its list of versions, and three files
// of the only one.
func pack(dir, version, out string) error {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	m := module.Version{Path: modfile.ModulePath(mod), Version: version}
	if err := module.Check(m.Path, m.Version); err != nil {
		return err
	}
	files, err := tracked(dir)
	if err != nil {
		return err
	}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return err
	}
	at := filepath.Join(out, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	var archive bytes.Buffer
	if err := zip.Create(&archive, m, files); err != nil {
		return err
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Now().UTC()})
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"list": []byte(version + "\n"), version + ".mod": mod, version + ".info": info, version + ".zip": archive.Bytes()} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%s@%s: %d files, %d KiB\n", m.Path, version, len(files), archive.Len()>>10)
	return nil
}

// tracked lists the files of the module in dir. Those of modules below it are not
// its own.
func tracked(dir string) ([]zip.File, error) {
	list, err := exec.Command("git", "-C", dir, "ls-files", "-z", "--deduplicate", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	nested := map[string]bool{}
	for _, name := range names {
		if folder, base := filepath.Split(name); base == "go.mod" && folder != "" {
			nested[folder] = true
		}
	}
	var files []zip.File
next:
	for _, name := range names {
		for folder := range nested {
			if strings.HasPrefix(name, folder) {
				continue next
			}
		}
		info, err := os.Lstat(filepath.Join(dir, name))
		if os.IsNotExist(err) { // deleted, but still in the index
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().IsRegular() {
			files = append(files, file{dir, name})
		}
	}
	return files, nil
}

type file struct{ dir, name string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(filepath.Join(f.dir, f.name)) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(f.dir, f.name)) }
