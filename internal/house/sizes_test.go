package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A package is read in one sitting: its most files, and its most lines that are neither empty nor a comment.
const (
	mostFiles = 25
	mostLines = 3500
)

func TestPackagesAreReadInOneSitting(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != "." && (name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		files[pkg]++
		for line := range strings.Lines(string(source)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				lines[pkg]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 100 {
		t.Errorf("%d packages", len(files))
	}
	for pkg, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files, a package has at most %d: cut it by what its parts know", pkg, n, mostFiles)
		}
		if lines[pkg] > mostLines {
			t.Errorf("%s has %d lines of code, a package has at most %d: cut it by what its parts know", pkg, lines[pkg], mostLines)
		}
	}
}
