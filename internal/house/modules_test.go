package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// internalAllowed lists the modules that may import internal packages of the core: those
// below a folder.
var internalAllowed = map[string]struct {
	below  []string
	reason string
}{
	"cmd/sotto/internal/server/playground/browser": {[]string{"cmd/sotto/internal/"}, "it tests an internal package in a browser and is never published; only its dependencies set it apart"},
	"lab": {[]string{"internal/simd/", "internal/chart"}, "its classifiers train with the kernels of the product, and its figures are its charts; it is never published, and its figures are of the commit that it is in"},
}

// Other modules are built against a published core, whose internal packages may change
// without notice.
func TestModulesImportPublicPackagesAlone(t *testing.T) {
	const core = "github.com/sotto-dp/sotto"
	used, requiring := map[string]bool{}, 0
	for _, module := range nestedModules(t) {
		data, err := os.ReadFile(filepath.Join(module, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), core+" v") {
			continue
		}
		requiring++
		for _, name := range goFiles(t, module) {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, imported := range file.Imports {
				path, _ := strconv.Unquote(imported.Path.Value)
				ours, ok := strings.CutPrefix(path, core+"/")
				if !ok || strings.HasPrefix(ours+"/", module+"/") || !strings.Contains("/"+ours+"/", "/internal/") {
					continue
				}
				allowed, listed := internalAllowed[module]
				if used[module] = true; !listed || !slices.ContainsFunc(allowed.below, func(below string) bool { return strings.HasPrefix(ours, below) }) {
					t.Errorf("%s imports %s: a module of its own may use public packages alone", name, path)
				}
			}
		}
	}
	if requiring < 2 {
		t.Errorf("%d modules require the core: there are beam and lab", requiring)
	}
	for module := range internalAllowed {
		if !used[module] {
			t.Errorf("%s imports no internal package: take it off the list", module)
		}
	}
}

// nestedModules lists the folders below this one that are modules.
func nestedModules(t *testing.T) (folders []string) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == ".git" || name == "node_modules" || name == "testdata") {
			return filepath.SkipDir
		}
		if dir := filepath.Dir(path); d.Name() == "go.mod" && dir != "." {
			folders = append(folders, filepath.ToSlash(dir))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// goFiles lists the Go files of a module, including those of modules below it.
func goFiles(t *testing.T, module string) (names []string) {
	err := filepath.WalkDir(module, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
