package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// module is the path of the core.
const module = "github.com/sotto-dp/sotto"

// pkg is what the go command says of a package of the core.
type pkg struct {
	ImportPath, Name, Dir   string
	Imports, Deps           []string
	GoFiles, IgnoredGoFiles []string
}

// path is the package's folder below the root, "" for the root.
func (p pkg) path() string { return below(p.ImportPath) }

// below returns an import path of the core as a folder below its root, "" for the root.
func below(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, module), "/") }

// files are the package's Go files for every system, tests left out.
func (p pkg) files() (names []string) {
	for _, name := range append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.IgnoredGoFiles...) {
		if !strings.HasSuffix(name, "_test.go") {
			names = append(names, filepath.Join(p.Dir, name))
		}
	}
	return names
}

// packages lists the packages of the core below a folder, all for "".
func packages(t *testing.T, folder string) (found []pkg) {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if path := p.path(); folder == "" || path == folder || strings.HasPrefix(path, folder+"/") {
			found = append(found, p)
		}
	}
	return found
}

// listed asks the go command once for all rules.
var listed = sync.OnceValues(func() (all []pkg, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Dir,Imports,Deps,GoFiles,IgnoredGoFiles", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})
